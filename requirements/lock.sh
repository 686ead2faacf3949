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
        "$@" pyproject.toml requirements/build.in
}

compile requirements/dev.txt --extra dev "$@"
compile requirements/local.txt --extra local --constraint requirements/dev.txt "$@"
