"""`python -m continuity.distribution FOLDER`: writes the wheel, the file that runs, and their checksums (`make client`)."""

from __future__ import annotations

import sys
from pathlib import Path

from continuity.distribution import downloads


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for file in downloads.files():
        (folder / file.name).write_bytes(file.held)
        sys.stdout.write(f"{folder / file.name}  {len(file.held):,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
