"""The command line of whoever runs Cognis: tenants and their API keys."""
