#!/bin/sh
# Usage: sh requirements/lock.sh [--upgrade]
# Writes the lock files from pyproject.toml, for every platform and Python 3.11 or newer. Versions stay as they
# are where they still fit, unless --upgrade is given. Runs in the project's folder and needs uv.
set -eu

uv=.venv/bin/uv
[ -x "$uv" ] || uv=$(command -v uv) || {
    echo "Locking needs uv: pip install uv, then repeat." >&2
    exit 1
}

compile() {
    output=$1
    shift
    "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
        --no-emit-find-links --custom-compile-command "make lock" --output-file "$output" \
        "$@" pyproject.toml
}

compile requirements/dev.txt --extra dev requirements/build.in "$@"
compile requirements/local.txt --extra local --constraint requirements/dev.txt requirements/build.in "$@"
# One layer for each kind of search index. The Lambda runtime brings boto3 and what it stands on.
for index in shards opensearch; do
    compile "requirements/lambda-$index.txt" --extra lambda --extra "$index" --constraint requirements/dev.txt \
        --no-emit-package botocore --no-emit-package python-dateutil --no-emit-package six "$@"
done
compile requirements/emulator.txt --extra emulator --constraint requirements/dev.txt requirements/build.in "$@"
