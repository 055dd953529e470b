"""Write the packaged files anew: `python -m asura_verify.vectors DIRECTORY`."""

from __future__ import annotations

import sys
from pathlib import Path

from asura_verify.vectors.generate import files

if __name__ == "__main__":
    for name, data in files().items():
        (Path(sys.argv[1]) / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
