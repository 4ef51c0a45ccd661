"""Workroom uses other packages through their public interface.

One module of the server and one of the web app are excepted, and say so.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import workroom

ROOT = Path(workroom.__file__).parent
WEB = Path(__file__).parents[2] / "web/src"
EXCEPTED = "server/realtime/transport/fast_websocket_transport.py"
# Documented, although they begin with an underscore: of `os`, of `sys`, and of named tuples.
DOCUMENTED = {"_exit", "_getframe", "_current_frames", "_make", "_replace", "_asdict", "_fields"}
FILES = {
    str(path.relative_to(ROOT)): ast.parse(path.read_text())
    for path in sorted(ROOT.rglob("*.py"))
    if not {"static", "docs_site", "migrations"} & set(path.parts)
}


def is_private(name: str) -> bool:
    return (name.startswith("_") and not name.endswith("_")) or name == "__self__"  # the object of a bound method


def bound_names(tree: ast.AST) -> set[str]:
    """The names of functions, classes, variables and arguments, and of attributes that a class gives itself."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                found.add(name)
            case _:
                pass
    return found


def foreign_uses(tree: ast.Module, own: set[str]) -> Iterator[tuple[int, str]]:
    """Private names that neither the module nor the modules of Workroom that it imports bind."""
    own = own | DOCUMENTED
    for node in ast.walk(tree):
        used: list[str] = []
        match node:
            case ast.Import(names=names):
                used = [part for alias in names for part in alias.name.split(".")]
            case ast.ImportFrom(module=str(module), names=names):
                used = [*module.split("."), *(alias.name for alias in names)]
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                used = [name]
            case ast.Subscript(slice=ast.Constant(value=str(name))):
                used = [name]
            case ast.Call(
                func=ast.Name(id="getattr" | "setattr" | "hasattr" | "delattr" | "attrgetter" | "methodcaller")
                | ast.Attribute(attr="attrgetter" | "methodcaller" | "__getattribute__" | "__setattr__"),
                args=arguments,
            ):
                used = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            case _:
                pass
        yield from ((getattr(node, "lineno", 0), name) for name in used if is_private(name) and name not in own)


def imported_names(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("workroom."):
            path = (node.module or "").split(".", 1)[1].replace(".", "/")
            for file in (f"{path}.py", f"{path}/__init__.py", *(f"{path}/{alias.name}.py" for alias in node.names)):
                if file in FILES:
                    found |= bound_names(FILES[file])
    return found


def uses_in(file: str) -> list[str]:
    tree = FILES[file]
    return [f"{file}:{line}: {name}" for line, name in foreign_uses(tree, bound_names(tree) | imported_names(tree))]


def test_one_module_alone_names_what_is_private_to_another_package() -> None:
    assert [use for file in FILES if file != EXCEPTED for use in uses_in(file)] == []
    assert uses_in(EXCEPTED), "nothing private is left in the excepted module: remove the exception"


def test_every_way_to_a_private_name_is_found() -> None:
    lines = [
        "import engineio._base", "from ase import _atoms", "from _socket import socket", "atoms._calc = None",
        "getattr(atoms, '_calc')", "setattr(atoms, '_calc', None)", "atoms.__dict__['_calc']", "vars(atoms)['_calc']",
        "operator.attrgetter('_calc')(atoms)", "object.__setattr__(atoms, '_calc', None)", "Validator(_resolver=None)",
        "getattr(send, '__self__', None)",
    ]  # fmt: skip
    assert [line for line in lines if not list(foreign_uses(ast.parse(line), set()))] == []
    assert not list(foreign_uses(ast.parse("self._own = 1\nself._own\nos._exit(0)\nmodule.__file__"), {"_own"}))


def test_one_module_of_the_web_app_alone_names_what_is_private_to_a_library() -> None:
    private = re.compile(r"""(?:\.|\[["'])_[A-Za-z]|{ _\w+: [a-z]""")  # also { _name: taken } = theirs
    using = [
        str(path.relative_to(WEB))
        for path in sorted(WEB.rglob("*.ts*"))
        if "generated" not in path.parts and ".test." not in path.name and private.search(path.read_text())
    ]
    assert using == ["features/figures/plotly.ts"]


@cache
def private_names_of(base: type) -> frozenset[str]:
    """The private names of a class of another package, also those that it gives its objects."""
    try:
        given = bound_names(ast.parse(textwrap.dedent(inspect.getsource(base))))
    except (OSError, TypeError):  # written in C
        given = set[str]()
    return frozenset(name for name in given | set(vars(base)) if is_private(name)) - DOCUMENTED


def test_no_class_overrides_what_is_private_to_its_base() -> None:
    found: list[str] = []
    for file, tree in FILES.items():
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        if file == EXCEPTED or file.endswith("__main__.py") or not any(node.bases for node in classes.values()):
            continue
        module = importlib.import_module(
            "workroom." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        )
        for name, node in classes.items():
            bases = [base for base in getattr(module, name).__mro__ if not base.__module__.startswith("workroom")]
            for base in bases:
                shared = {one for one in bound_names(node) if is_private(one)} & private_names_of(base)
                found += [f"{file}: {name} overrides {one} of {base.__module__}" for one in shared]
    assert found == []
