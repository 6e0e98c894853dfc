"""The rooms of this package, drawn from its imports: ``python -m book rooms`` writes what the README shows of them."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from pathlib import Path

from book import ROOT

#: From the ground up: a room looks into those before it, and into what stands in none.
ROOMS = ("source", "artifacts", "markdown", "finish", "checks", "authoring", "adapters")
#: What stands in no room, since all of them use it.
GROUND = ("files", "problems", "processes", "strings")
#: Through which modules something goes, in order.
WAYS = {
    "A page": ("source.parser", "checks.every", "markdown.extension", "finish.article", "finish.styles"),
    "A figure": ("artifacts.figures", "markdown.inlined", "finish.assets"),
    "A lab": ("artifacts.cells", "artifacts.labs", "markdown.outputs", "artifacts.downloads"),
    "A number in prose": ("source.values", "checks.numbers", "markdown.extension"),
    "A complaint": ("source.pages", "checks.every", "problems"),
}
#: What all of these ways lead to: the build.
END = "adapters.hooks"
README = ROOT / "README.md"
BEGIN, STOP = "<!-- rooms: python -m book rooms -->", "<!-- end of rooms -->"


@dataclass(frozen=True)
class Module:
    """A module by its name below ``book``: ``source.parser``."""

    name: str
    path: Path

    @property
    def room(self) -> str:
        """Its room, or "" of what stands in none."""
        return self.name.partition(".")[0] if "." in self.name else ""

    def __str__(self) -> str:
        return self.name


@functools.cache
def modules() -> dict[str, Module]:
    """Every module that is a file of its own, by name."""
    names = {
        path.relative_to(ROOT / "book").with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
        for path in sorted((ROOT / "book").rglob("*.py"))
    }
    return {name: Module(name, path) for name, path in names.items() if not name.startswith("__")}


@functools.cache
def imports(module: Module) -> frozenset[Module]:
    """The modules of ``book`` that a module imports, wherever in it, but for types alone."""
    found = set()
    tree = ast.parse(module.path.read_text(encoding="utf-8"))
    types = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in {*ast.walk(tree)} - {one for only in types for one in ast.walk(only)}:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "book":
            below = node.module.partition(".")[2]
            for name in {below, *(f"{below}.{alias.name}".lstrip(".") for alias in node.names)} & modules().keys():
                found.add(modules()[name])
    return frozenset(one for one in found if one.name not in ROOMS and one != module)


def reached(module: Module) -> set[Module]:
    """All modules that are imported on the way from this one."""
    found: set[Module] = set()
    left = [module]
    while left:
        for other in imports(left.pop()) - found:
            found.add(other)
            left.append(other)
    return found


def drawing() -> str:
    """The rooms as a table of Markdown, the highest first, and the ways through them."""
    rows = []
    for room in reversed(ROOMS):
        own = [one for one in modules().values() if one.room == room]
        into = {other.room for one in own for other in imports(one)} - {room, "", "strings"}
        tree = ast.parse(modules()[room].path.read_text(encoding="utf-8"))
        says = (ast.get_docstring(tree) or "").replace("``", "`").splitlines()[0]
        looks = ", ".join(name for name in ROOMS if name in into)
        rows.append(f"| `book/{room}` | {says} | {looks or '–'} |")
    ways = [f"- {thing}: {' → '.join(f'`{name}`' for name in [*names, END])}" for thing, names in WAYS.items()]
    return "\n".join(["| room | what it holds | looks into |", "|---|---|---|", *rows, "", *ways])


def main() -> int:
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    README.write_text(f"{before}{BEGIN}\n{drawing()}\n{STOP}{rest.partition(STOP)[2]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
