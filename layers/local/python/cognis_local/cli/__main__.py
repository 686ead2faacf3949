from cognis_local.cli import main

main()
