from cognis_admin.cli import main

main()
