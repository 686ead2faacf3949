"""The HTTP API: routes, requests, answers, problem documents."""
