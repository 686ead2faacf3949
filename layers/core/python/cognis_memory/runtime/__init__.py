"""What a process of a deployment needs around the services: settings, wiring, observability, HTTP."""
