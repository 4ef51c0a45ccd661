"""Refuses HDF5 files whose content lies in other files.

HDF5 can keep a dataset in any file of the machine (external storage), assemble it from datasets of other files (virtual
datasets) and name objects of other files (external links). The library opens these files when the data is read. The
whole tree of objects is checked first, because a soft link or a nested group can lead to any of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from workroom.domain.errors import BadInput

_MOST_OBJECTS = 200_000


def check_self_contained(root: Any) -> None:
    """Raise BadInput if a member of this open file refers to another file. No data is read, and no link followed."""
    h5d, h5g, h5l, h5o = (_low_level(name) for name in ("h5d", "h5g", "h5l", "h5o"))
    seen: set[int] = set()
    waiting: list[Any] = [h5g.open(root.id, b"/")]
    while waiting:
        item = waiting.pop()
        address: int = h5o.get_info(item).addr  # groups may contain each other
        if address in seen:
            continue
        seen.add(address)
        if len(seen) > _MOST_OBJECTS:
            raise BadInput(f"The HDF5 file has more than {_MOST_OBJECTS:,} groups and datasets. Leave some out.")
        if isinstance(item, h5d.DatasetID):
            _check_dataset(item, h5d.VIRTUAL)
        if not isinstance(item, h5g.GroupID):
            continue  # a dataset, or a named datatype
        for name in item:
            kind = item.links.get_info(name).type
            if kind == h5l.TYPE_HARD:
                waiting.append(h5o.open(item, name))
            elif kind != h5l.TYPE_SOFT:  # a soft link stays in this file, all of which is checked
                raise _refusal("a link to another file")


def _low_level(name: str) -> Any:
    """A module of h5py's low-level interface, which opens objects without reading them; it has no types."""
    return import_module(f"h5py.{name}")


def _check_dataset(dataset: Any, virtual: int) -> None:
    properties = dataset.get_create_plist()
    if properties.get_external_count() > 0:
        raise _refusal("a dataset whose values are stored in another file")
    if properties.get_layout() == virtual:
        raise _refusal("a virtual dataset, which takes its values from other files")


def _refusal(what: str) -> BadInput:
    return BadInput(
        f"The HDF5 file has {what}. Only files that contain all their data are read: copy the values into this file "
        "first, for example with `h5repack` or h5py.",
        format="h5md",
    )
