"""The rooms of ``book/``: which may look into which, and the drawing of them in the README."""

from __future__ import annotations

import pytest

from book import ROOT
from book.__main__ import COMMANDS
from book.authoring import rooms
from book.authoring.rooms import END, GROUND, ROOMS, WAYS, drawing, imports, modules, reached

MODULES = [one for one in modules().values() if one.name not in ROOMS]


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_imports_its_own_room_earlier_ones_and_the_ground(module):
    allowed = {"", *ROOMS[: ROOMS.index(module.room) + 1]} if module.room else {""}
    for other in imports(module):
        assert other.room in allowed, f"{module} imports {other}, whose room comes later: {', '.join(ROOMS)}"


def test_every_module_stands_in_a_room_or_on_the_ground():
    assert {one.room for one in MODULES} == {"", *ROOMS}
    assert {one.name for one in MODULES if not one.room} == {*GROUND}
    assert {path.name for path in (ROOT / "book").iterdir() if list(path.glob("*.py"))} == {*ROOMS, "strings"}


def test_no_two_modules_import_each_other():
    above = {module: set(imports(module)) for module in MODULES}
    while leaves := {module for module, needed in above.items() if not needed & above.keys()}:
        above = {module: needed for module, needed in above.items() if module not in leaves}
    assert not above, f"these import each other in a circle: {', '.join(map(str, above))}"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_runs_a_module_that_there_is(name):
    module = COMMANDS[name][0].removeprefix("book.")
    assert module in modules() and "\nif __name__ ==" in modules()[module].path.read_text(encoding="utf-8")


def test_the_readme_shows_the_rooms_as_they_are():
    text = rooms.README.read_text(encoding="utf-8")
    shown = text.partition(rooms.BEGIN)[2].partition(rooms.STOP)[0].strip()
    assert shown == drawing(), "run: python -m book rooms"


@pytest.mark.parametrize("thing", WAYS)
def test_a_way_through_the_rooms_leads_to_the_build(thing):
    on_it = reached(modules()[END])
    for name in WAYS[thing]:
        assert modules()[name] in on_it, f"{END} does not come to {name}"


def test_what_a_module_imports_is_found_wherever_it_does():
    found = {str(one) for one in imports(modules()["artifacts.labs"])}
    assert {"artifacts.cells", "problems", "processes", "source.parser"} <= found and "artifacts.results" not in found
    assert "artifacts.results" not in {str(one) for one in imports(modules()["artifacts.agreement"])}, "for types"
    assert "artifacts.rehearsal" in {str(one) for one in imports(modules()["artifacts.results"])}, "in a function"
