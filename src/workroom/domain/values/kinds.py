"""The kinds of values that `codec` stores beside plain JSON: dates, numbers, paths, arrays, structures, classes.

Nothing is unpickled, and no module is imported because a value names it. An instance of a class (an enum, a named
tuple, a dataclass, a pydantic model) is stored as the name of the class and its fields. It is restored without its
constructor, and only if the class is already loaded: the module that defines the function or calls it imports the
class.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import functools
import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import ModuleType
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from workroom.domain.errors import BadInput

FILE_MODULE = "workroom_file_"  # how modules that were loaded from a file are named
_MAIN = ("__main__", "__mp_main__")  # a script is the second one in its child processes

Pack = Callable[[Any], Any]
Packed = list[Any]  # the name of the kind, and its content


def pack_kind(value: Any, what: str, pack: Pack) -> Packed:
    """The kind and the content of a value that is not plain; `pack` packs its parts. BadInput if it cannot travel."""
    kind: Any = cast(Any, type(value))
    simple = _SIMPLE.get(kind)
    if simple is not None:
        try:
            return simple(value, what)
        except ValueError:  # Python refuses to write so many digits
            raise BadInput(f"{what} contains a {kind.__name__} with too many digits. Use an int.") from None
    if kind in (type(Path()), PurePosixPath, PureWindowsPath):
        return ["path" if kind is type(Path()) else kind.__name__, pack(str(value))]
    if kind.__module__ == "numpy" or kind.__module__.startswith("numpy."):
        return _pack_numpy(value, what, pack)
    if issubclass(kind, enum.Enum):
        member = value.name if value.name in kind.__members__ else None
        return ["enum", [*_named(kind, what), member, None if member else pack(value.value)]]
    if _CLASSES["namedtuple"](kind):
        return ["namedtuple", [*_named(kind, what), [pack(item) for item in value]]]
    if kind.__module__ == "ase.atoms" and kind.__qualname__ == "Atoms":
        return ["atoms", pack(_parts_of_atoms(value, what))]
    if _CLASSES["dataclass"](kind):
        return ["dataclass", [*_named(kind, what), pack(_fields_of(value, what))]]
    if _CLASSES["model"](kind):
        state: dict[str, Any] = value.__getstate__()
        parts = {name: state[name] for name in _MODEL_STATE if name in state}  # a RootModel has fewer
        return ["model", [*_named(kind, what), pack(parts)]]
    raise BadInput(f"{what} contains {preview(value)} of type {_full_name(kind)}, which cannot travel. {_fix(value)}")


def unpack_kind(name: str, content: Any, unpack: Pack) -> Any:
    """The value of a kind; ValueError, TypeError or KeyError if the content is malformed, BadInput if no class is."""
    if name in _UNPACK_SIMPLE:
        return _UNPACK_SIMPLE[name](content)
    if name in _PATHS:
        return _PATHS[name](unpack(content))
    if name in ("numpy", "array"):
        return _unpack_array(content, scalar=name == "numpy")
    if name == "objects":
        return _unpack_objects(content, unpack)
    if name == "atoms":
        return _atoms_of(unpack(content))
    module, qualname, *rest = content
    if name not in _CLASSES or len(rest) != (2 if name == "enum" else 1):
        raise KeyError(name)
    kind: Any = _find(str(module), str(qualname))
    if kind is None or not _CLASSES[name](kind):
        raise BadInput(
            f"A value of the class {module}.{qualname} cannot be restored here, because the class is not loaded. "
            f"Import it in the module that defines the function, and in the program that reads the result."
        )
    if name == "enum":
        member, value = rest
        return kind[member] if member is not None else kind(unpack(value))
    if name == "namedtuple":
        return cast(Any, tuple).__new__(kind, [unpack(item) for item in rest[0]])
    restored: Any = kind.__new__(kind)
    fields: dict[str, Any] = unpack(rest[0])
    if name == "model":
        restored.__setstate__({part: fields[part] for part in _MODEL_STATE if part in fields})
        return restored
    for field in dataclasses.fields(kind):
        object.__setattr__(restored, field.name, fields[field.name])
    return restored


def check_kind(name: str, content: Any, check: Pack) -> Any:
    """The content of a kind from a client, checked without loading a class; `check` checks its parts."""
    if name in _UNPACK_SIMPLE:
        value = _UNPACK_SIMPLE[name](content)
        return pack_kind(value, "The value", check)[1]
    if name in _PATHS:
        return check(content)
    if name in ("numpy", "array"):
        _unpack_array(content, scalar=name == "numpy")
        return content
    if name == "objects":
        shape, items = content
        _check_shape(shape, len(items))
        return [shape, [check(item) for item in items]]
    if name == "atoms":
        return check(content)
    if name not in _CLASSES:
        raise KeyError(name)
    module, qualname, *rest = content
    if not isinstance(module, str) or not isinstance(qualname, str):
        raise TypeError("a class is named by two texts")
    if name == "enum":
        member, value = rest
        return [module, qualname, None if member is None else str(member), check(value)]
    (part,) = rest
    return [module, qualname, [check(item) for item in part] if name == "namedtuple" else check(part)]


# Dates, numbers, paths and ranges ------------------------------------------------------------------------------------


def _pack_datetime(value: datetime, what: str) -> Packed:
    naive = value.replace(tzinfo=None, fold=0).isoformat()
    zone = value.tzinfo
    if zone is None:
        stored: Any = None
    elif type(zone) is timezone or type(zone).__module__.startswith("pydantic"):  # a fixed offset
        offset = cast(timedelta, value.utcoffset())
        stored = [offset.days, offset.seconds, offset.microseconds]
        if type(zone) is timezone and (name := zone.tzname(None)) != timezone(offset).tzname(None):
            stored.append(name)
    elif type(zone) is ZoneInfo and zone.key:
        stored = zone.key
    else:
        raise BadInput(f"{what} contains a time in {zone!r}. Use datetime.timezone or zoneinfo.ZoneInfo for its zone.")
    return ["datetime", [naive, stored, value.fold]]


def _unpack_datetime(content: Any) -> datetime:
    naive, zone, fold = content
    if isinstance(zone, str):
        try:
            found: Any = ZoneInfo(zone)
        except ZoneInfoNotFoundError:
            raise BadInput(f"The time zone {zone!r} is not known here. Install the package tzdata.") from None
    else:
        found = None if zone is None else timezone(timedelta(*zone[:3]), *zone[3:])
    return datetime.fromisoformat(naive).replace(tzinfo=found, fold=fold)


def _pack_time(value: time, what: str) -> Packed:
    if value.tzinfo is not None:
        raise BadInput(f"{what} contains a time of day with a zone. Use a datetime.")
    return ["time", [value.replace(fold=0).isoformat(), value.fold]]


def _fraction(content: str) -> Fraction:
    """Only as it is packed: an exponent could stand for a number that takes all memory."""
    above, below = content.split("/") if "/" in content else (content, "1")
    return Fraction(int(above), int(below))


_SIMPLE: dict[type[Any], Callable[[Any, str], Packed]] = {
    datetime: _pack_datetime,
    date: lambda value, _: ["date", value.isoformat()],
    time: _pack_time,
    timedelta: lambda value, _: ["timedelta", [value.days, value.seconds, value.microseconds]],
    Decimal: lambda value, _: ["decimal", str(value)],
    Fraction: lambda value, _: ["fraction", str(value)],
    UUID: lambda value, _: ["uuid", value.hex],
    complex: lambda value, _: ["complex", [repr(value.real), repr(value.imag)]],
    range: lambda value, _: ["range", [str(value.start), str(value.stop), str(value.step)]],
    slice: lambda value, what: ["slice", [_bound(part, what) for part in (value.start, value.stop, value.step)]],
    bytearray: lambda value, _: ["bytearray", base64.b64encode(value).decode()],
}
_UNPACK_SIMPLE: dict[str, Callable[[Any], Any]] = {
    "datetime": _unpack_datetime,
    "date": date.fromisoformat,
    "time": lambda content: time.fromisoformat(content[0]).replace(fold=content[1]),
    "timedelta": lambda content: timedelta(*content),
    "decimal": Decimal,
    "fraction": _fraction,
    "uuid": UUID,
    "complex": lambda content: complex(*(float(part) for part in content)),
    "range": lambda content: range(*(int(part) for part in content)),
    "slice": lambda content: slice(*(None if part is None else int(part) for part in content)),
    "bytearray": lambda content: bytearray(base64.b64decode(content)),
}
_PATHS: dict[str, Callable[[str], Any]] = {
    "path": Path,
    "PurePosixPath": PurePosixPath,
    "PureWindowsPath": PureWindowsPath,
}


def _bound(part: Any, what: str) -> str | None:
    if part is not None and type(part) is not int:
        raise BadInput(f"{what} contains a slice with {preview(part)}. Use whole numbers.")
    return None if part is None else str(part)


# NumPy ---------------------------------------------------------------------------------------------------------------


def _pack_numpy(value: Any, what: str, pack: Pack) -> Packed:
    import numpy as np

    kind = cast(type[Any], type(value))
    if kind is np.ndarray and value.dtype == object:
        return ["objects", [list(value.shape), [pack(item) for item in value.ravel().tolist()]]]
    if kind is not np.ndarray and not issubclass(kind, np.generic):
        raise BadInput(f"{what} contains a {_full_name(kind)}, which cannot travel. {_fix(value)}")
    content: Any = np.ascontiguousarray(value)
    layout = _layout(content.dtype, what)
    packed = [layout, list(value.shape), base64.b64encode(content.tobytes()).decode()]
    return ["array" if kind is np.ndarray else "numpy", packed]


def _layout(dtype: Any, what: str) -> Any:
    """A dtype as JSON: its name, or the fields of a structured one."""
    if dtype.kind == "T":
        raise BadInput(f"{what} contains an array of the dtype StringDType. Use its astype(str).")
    if dtype.hasobject:
        raise BadInput(f"{what} contains an array of objects in fields. Use a list of dicts.")
    if dtype.names is None:
        return dtype.str
    formats: list[Any] = []
    for name in dtype.names:
        part = dtype.fields[name][0]
        formats.append([_layout(part.base, what), list(part.shape)])
    offsets = [dtype.fields[name][1] for name in dtype.names]
    layout = {"names": list(dtype.names), "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    titles = [dtype.fields[name][2] if len(dtype.fields[name]) == 3 else None for name in dtype.names]
    return layout | {"titles": titles} if any(titles) else layout


def _dtype(layout: Any) -> Any:
    import numpy as np

    if isinstance(layout, str):
        found = np.dtype(layout)
    else:
        formats = [(_dtype(part), tuple(shape)) for part, shape in layout["formats"]]
        parts: Any = {
            "names": layout["names"],
            "formats": cast(Any, formats),
            "offsets": layout["offsets"],
            "itemsize": layout["itemsize"],
        } | ({"titles": layout["titles"]} if "titles" in layout else {})
        found = np.dtype(parts)
    if found.hasobject:
        raise ValueError("arrays of objects have another form")
    return found


def _unpack_array(content: Any, *, scalar: bool) -> Any:
    import numpy as np

    layout, shape, data = content
    dtype = _dtype(layout)
    raw = base64.b64decode(data)
    if dtype.itemsize == 0:
        array = np.zeros(_check_shape(shape, None), dtype)
    else:
        array = np.frombuffer(bytearray(raw), dtype).reshape(_check_shape(shape, len(raw) // dtype.itemsize))
    return array[()] if scalar else array


def _unpack_objects(content: Any, unpack: Pack) -> Any:
    import numpy as np

    shape, items = content
    array = np.empty(len(items), object)
    for place, item in enumerate(items):
        array[place] = unpack(item)
    return array.reshape(_check_shape(shape, len(items)))


def _check_shape(shape: Any, size: int | None) -> tuple[int, ...]:
    lengths = tuple(int(length) for length in shape)
    count = 1
    for length in lengths:
        count *= length
    if any(length < 0 for length in lengths) or (size is not None and count != size) or count > 2**31:
        raise ValueError("the shape does not fit the content")
    return lengths


# Structures ----------------------------------------------------------------------------------------------------------


def _parts_of_atoms(atoms: Any, what: str) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "arrays": dict(atoms.arrays),
        "cell": atoms.cell.array,
        "pbc": atoms.pbc,
        "celldisp": atoms.get_celldisp(),
        "info": dict(atoms.info),
    }
    try:
        parts["constraints"] = [constraint.todict() for constraint in atoms.constraints]
    except (AttributeError, NotImplementedError):
        raise BadInput(f"{what} contains a structure with a constraint that has no todict(). Remove it.") from None
    results = getattr(atoms.calc, "results", None)
    if results:
        parts["calculator"] = str(getattr(atoms.calc, "name", None) or "unknown")
        parts["results"] = dict(results)
    return parts


def _atoms_of(parts: dict[str, Any]) -> Any:
    try:
        from ase import Atoms
        from ase.calculators.singlepoint import SinglePointCalculator
        from ase.constraints import dict2constraint
    except ImportError:
        raise BadInput("A structure needs ASE. Install it with `pip install 'workroom[atoms]'`.") from None
    arrays = dict(parts["arrays"])
    atoms: Any = Atoms(
        numbers=arrays.pop("numbers"),
        positions=arrays.pop("positions"),
        cell=parts["cell"],
        pbc=parts["pbc"],
        celldisp=parts["celldisp"],
        info=parts["info"],
        constraint=[dict2constraint(fields) for fields in parts["constraints"]],
    )
    for name, array in arrays.items():
        atoms.set_array(name, array)
    if "results" in parts:
        calculator: Any = SinglePointCalculator(atoms)
        calculator.name = parts["calculator"]
        calculator.results = parts["results"]
        atoms.calc = calculator
    return atoms


# Classes -------------------------------------------------------------------------------------------------------------

_MODEL_STATE = ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
_CLASSES: dict[str, Callable[[type[Any]], bool]] = {
    "enum": lambda kind: issubclass(kind, enum.Enum),
    "namedtuple": lambda kind: issubclass(kind, tuple) and hasattr(cast(Any, kind), "_fields"),
    "dataclass": lambda kind: dataclasses.is_dataclass(kind) and kind.__new__ is object.__new__,
    "model": lambda kind: hasattr(kind, "__pydantic_validator__") and hasattr(kind, "model_fields"),
}


def _fields_of(value: Any, what: str) -> dict[str, Any]:
    """The fields of a dataclass; BadInput if the instance is more or less than its fields."""
    kind = cast(type[Any], type(value))
    names = [field.name for field in dataclasses.fields(kind)]
    unset = [name for name in names if not hasattr(value, name)]
    if unset:
        raise BadInput(f"{what} contains a {_full_name(kind)} without its field {unset[0]}. Set it.")
    kept: dict[str, Any] = getattr(value, "__dict__", {})
    others = [
        name
        for name in kept
        if name not in names
        and not isinstance(getattr(kind, name, None), functools.cached_property)  # computed again
        and not name.startswith("__pydantic")
    ]
    if others:
        raise BadInput(
            f"{what} contains a {_full_name(kind)} with {others[0]}, which is no field and would be lost. "
            f"Declare it: `{others[0]}: … = field(init=False)`."
        )
    return {name: getattr(value, name) for name in names}


def _named(kind: type[Any], what: str) -> tuple[str, str]:
    """The module and the name of a class, by which another process finds it."""
    module = _public_module(kind.__module__)
    if _find(module, kind.__qualname__) is not kind:
        raise BadInput(
            f"{what} contains a value of the class {_full_name(kind)}, which other processes cannot find. "
            f"Define the class at the top of a module."
        )
    return module, kind.__qualname__


def _public_module(name: str) -> str:
    """The name under which other processes load the module: the name of the file for a script."""
    if name.startswith(FILE_MODULE):
        return name.removeprefix(FILE_MODULE)
    if name not in _MAIN:
        return name
    main = sys.modules.get(name)
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name not in _MAIN:
        return spec.name
    file = getattr(main, "__file__", None)
    return Path(file).stem if file else name


def _find(module: str, qualname: str) -> type[Any] | None:
    """A class of a module that is loaded; a module from a file or a script counts under the name of its file."""
    stem = module.rpartition(".")[2]
    names = [module, FILE_MODULE + stem, *(main for main in _MAIN if _public_module(main) in (module, stem))]
    for name in names:
        found: Any = sys.modules.get(name)
        for part in qualname.split("."):
            found = vars(found).get(part) if isinstance(found, ModuleType | type) else None
        if isinstance(found, type):
            return found
    return None


def _full_name(kind: type[Any]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _fix(value: Any) -> str:
    """What to do about a value that cannot travel."""
    kind = cast(type[Any], type(value))
    name = _full_name(kind)
    if name.startswith("pandas."):
        return "Use its to_numpy() or to_dict()."
    if name.startswith(("torch.", "tensorflow.", "jax", "jaxlib.")):
        return "Use its numpy()."
    if name.startswith("numpy."):
        return "Use np.asarray()."
    if name.startswith("plotly."):
        return "Store it in the room: room.figures[…]."
    if callable(value) or isinstance(value, ModuleType):
        return "Pass its name as text instead."
    if hasattr(value, "read") or hasattr(value, "fileno"):
        return "Pass the path of the file instead."
    for base in (dict, list, tuple, set, frozenset, str, int, float, bytes):
        if isinstance(value, base):
            return f"Use {base.__name__}()."
    if hasattr(value, "__next__"):
        return "Use list()."
    return "Use plain values, numpy arrays, dataclasses or pydantic models; without a need for it, return None."


def preview(value: Any) -> str:
    try:
        shown = repr(value)
    except Exception:
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= 60 else shown[:60] + "…"
