"""The job that imports an uploaded file into a room."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from workroom.atoms.files.reading import Progress, read_frames
from workroom.atoms.form_fields import described
from workroom.client.extension import Extension
from workroom.client.frames.files import FileSink


class Open(Extension):
    """Import an uploaded file: append its frames to the trajectory, all of them or none."""

    category = "files"

    upload: str = described(..., "The upload, as the server calls it.", pattern="^[0-9a-f]{32}$")
    name: str = described(
        "upload", "What the file is called; its ending tells the format.", min_length=1, max_length=200
    )
    format: str | None = described(None, "The format, where the name does not tell.", max_length=50)

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="workroom-open-") as folder:
            file = Path(folder) / "upload"
            fetch(vis, self.upload, file)
            return {"frames": open_file(vis, file, name=self.name, format=self.format)}


def open_file(
    vis: Any,
    file: Path | str,
    *,
    name: str | None = None,
    format: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Append the frames of a file to a trajectory in one write and show the first; returns their number."""
    before = len(vis)
    count = 0

    def so_far(share: float, frames: int) -> None:
        nonlocal count
        count = frames
        vis.progress(share, "1 frame" if frames == 1 else f"{frames} frames")
        if progress is not None:
            progress(share, frames)

    vis.extend(read_frames(file, name=name, format=format, progress=so_far))
    vis.step = before
    return count


def fetch(vis: Any, upload: str, file: Path) -> None:
    """Download the uploaded file from the server, because the job may run on any machine."""
    with file.open("wb") as target:
        vis.portal.call(vis.inner.access.download(f"/api/rooms/{vis.name}/files/{upload}", {}, FileSink(target)))
