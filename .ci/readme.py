"""The README as a package index shows it: a relative link leads nowhere there.

With a `Source` among the project's URLs the links lead into that repository; without one, or while
it is a placeholder, they become the names of their files.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Stands for the host of the repository until there is one.
PLACEHOLDER = "https://EXAMPLE/"


def for_an_index(text: str, source: str | None) -> str:
    """The text without relative links."""

    def linked(found: re.Match[str]) -> str:
        words, path = found.groups()
        if source is not None and not source.startswith(PLACEHOLDER):
            return f"[{words}]({source.rstrip('/')}/blob/main/{path})"
        return f"`{path}`" if words == path else f"{words} (`{path}` in the repository)"

    return re.sub(r"\[([^\]]+)\]\((?!https?:|#|mailto:)([^)]+)\)", linked, text)


class IndexReadme(MetadataHookInterface):
    """What hatchling asks for the readme, which pyproject.toml declares dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": for_an_index(text, source),
        }
