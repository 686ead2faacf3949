"""A single OpenSearch node with k-NN on this machine, made from released Maven artifacts, without Docker.

`python -m cognis_local.opensearch start` brings one up; see `docs/opensearch.md`.
"""
