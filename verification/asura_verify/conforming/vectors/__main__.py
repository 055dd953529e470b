"""Write the packaged files anew: `python -m asura_verify.conforming.vectors DIRECTORY`."""

from __future__ import annotations

import sys
from pathlib import Path

from asura_verify.conforming.vectors.generate import files

if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python -m asura_verify.conforming.vectors DIRECTORY")
    for name, data in files().items():
        (Path(sys.argv[1]) / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
