"""A process that writes into a folder of shards until it is done or killed: writer_process.py FOLDER FROM TO.

It prints each number once its commit has returned.
"""

from __future__ import annotations

import sys
from pathlib import Path

from builders import OWNER, document, open_folder

if __name__ == "__main__":
    folder, start, end = sys.argv[1:]
    shards = open_folder(Path(folder), split_at=40, compact_after=15)
    for number in range(int(start), int(end)):
        shards.apply(OWNER, [document(number)], [document(number - 1).id] if number % 5 == 4 else [])
        print(number, flush=True)
