from cognis_local.opensearch.cli import main

main()
