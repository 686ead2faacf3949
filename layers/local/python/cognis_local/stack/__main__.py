from cognis_local.stack.cli import main

main()
