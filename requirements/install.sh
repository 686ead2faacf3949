#!/bin/sh
# Usage: sh requirements/install.sh VENV LOCK
# Makes the virtual environment where there is none that works, installs the locked packages into it, each checked
# against its hash, and then the project itself, editable. Runs in the project's folder.
set -eu
venv=$1
lock=$2
python=$venv/bin/python

# A user's settings for where pip installs would lead out of the environment.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_USER PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV
export PIP_DISABLE_PIP_VERSION_CHECK=1

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

find_python() {
    for candidate in python3.13 python3.12 python3.11 python3; do
        if "$candidate" -c "$new_enough" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    found=$(python3 --version 2>&1) || found="no python3"
    echo "Cognis needs Python 3.11 or newer, and here is $found. Install one, then repeat." >&2
    return 1
}

if ! "$python" -c "$new_enough" 2>/dev/null || ! "$python" -m pip --version >/dev/null 2>&1; then
    base=$(find_python)
    echo "Making $venv with $("$base" --version)"
    if ! "$base" -c 'import venv, ensurepip' 2>/dev/null; then
        echo "$base lacks the modules venv and ensurepip. On Debian and Ubuntu: apt install python3-venv" >&2
        exit 1
    fi
    "$base" -m venv --clear "$venv"
fi

echo "Installing $lock (the first time this takes some minutes)"
"$python" -m pip install --quiet --require-hashes --requirement "$lock"
"$python" -m pip install --quiet --no-index --no-deps --no-build-isolation --editable .
