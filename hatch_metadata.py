"""The description on an index page: README.md, whose links lead somewhere there.

In the repository links are relative. An index page has no files beside it, so a link becomes one to the source
(`Source` of `[project.urls]`), at the tag of the version. As long as the project has no public address, the picture
is left out and links between pages become their text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"^!\[([^]]*)\]\((?!\w+:)([^)]+)\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[([^]]+)\]\((?!\w+:|#)([^)]+)\)")


class IndexPageHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        source = metadata.get("urls", {}).get("Source")
        text = index_page((Path(self.root) / "README.md").read_text("utf-8"), source, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def index_page(readme: str, source: str | None, tag: str) -> str:
    """The README as an index shows it."""
    if source is None:
        return _LINK.sub(r"\1", _PICTURE.sub("", readme))
    base = source.rstrip("/")
    readme = _PICTURE.sub(rf"![\1]({base}/raw/{tag}/\2)\n\n", readme)
    return _LINK.sub(rf"[\1]({base}/blob/{tag}/\2)", readme)
