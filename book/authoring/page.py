"""A page, from its first line to its last test: ``python -m book page PART/NAME``.

Of a page that there is not yet, it makes the scaffold: both languages, module, worked examples, tests, and the
entries in the navigation and in the part's own index. All of that works, and says TODO where its author has to
write. Of a page that there is, it runs what belongs to it, and nothing else (``book/authoring/belongings.py``).
``--part NAME`` starts a new part.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path

from book import LANGUAGES, ROOT
from book.authoring import belongings, scaffold
from book.source import catalogs, remarks
from book.source.page import OUTPUT
from book.source.pages import Book
from book.source.text import near

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
#: Folders beside those of the parts.
TAKEN = {"assets", "figures", "machinery", "tools"}


class PageError(Exception):
    """A page or part that cannot be made; the message says what to do instead."""


def make_page(root: Path, name: str, new: bool = False) -> list[str]:
    """Write the scaffold of a page, and its entries; returns the names of the files. Overwrites nothing."""
    book = Book.read(root)
    part, slash, page = name.partition("/")
    if not slash:
        meant = next((other for other in book.nav if other.endswith(f"/{name}.md")), "")
        suggestion = f"; did you mean {meant.removesuffix('.md')}?" if meant else ""
        raise PageError(f"{name}: a page is named by its part and its own name, PART/NAME{suggestion}")
    if part not in _with_modules(book):
        if any(f"{part}/index.md" in pages for pages in book.pages.values()):
            raise PageError(f"{part} has no code of its own: write its pages by hand, in both languages")
        suggestion = near(part, book.parts()) or f". To start it: python -m book page --part {part}"
        raise PageError(f"there is no part {part}{suggestion}")
    _check_name(page)
    neighbours = [other.removeprefix(f"{part}/") for other in book.nav if other.startswith(f"{part}/")]
    if not new and (meant := _one_letter_off(page, [other.removesuffix(".md") for other in neighbours])):
        raise PageError(f"{part} has no page {page}{meant} If it is a new one: python -m book page --new {name}")
    names = {"part": part, "page": page, "module": page.replace("-", "_"), "title": _title(page)}
    files = {_fill(path, names): _fill(text, names) for path, text in scaffold.PAGE.items()}
    if part == "labs":
        files = {path: _for_a_lab(text) for path, text in files.items()}
    _refuse_existing(root, files)
    module = f"{names['module']}.py"
    english = remarks.said(files[f"snippets/{part}/{module}"])[-1].text  # the docstring that the page shows
    catalog = catalogs.catalog_path(Path("snippets") / part, "ko").as_posix()
    docstring = {module: [{"en": english, "ko": scaffold.KOREAN_DOCSTRING}]}
    files[catalog] = catalogs.with_entries(root / catalog, docstring)
    for language in LANGUAGES:
        path = f"docs/{language}/{part}/index.md"
        entry = _entry(_read(root, path), neighbours, f"{page}.md", names["title"])
        files[path] = _inserted(_read(root, path), *entry)
    settings = _read(root, "mkdocs.yml")
    last = _last_in_nav(settings, part)
    files["mkdocs.yml"] = _inserted(settings, last.end(), f"\n{last[1]}- {name}.md")
    return _write(root, files)


def make_part(root: Path, name: str, new: bool = False) -> list[str]:
    """Write the files that every part has, and its entries in the navigation and on the home page."""
    book = Book.read(root)
    _check_name(name, part=True)
    if name in book.parts():
        raise PageError(f"the part {name} is there already: python -m book page {name}/PAGE makes a page of it")
    if not new and (meant := _one_letter_off(name, book.parts())):
        raise PageError(f"there is no part {name}{meant} If it is a new one: python -m book page --new --part {name}")
    names = {"part": name, "title": _title(name)}
    files = {_fill(path, names): _fill(text, names) for path, text in scaffold.PART.items()}
    _refuse_existing(root, files)
    before = [part for part in _with_modules(book) if part != "labs"]  # experiments on all that has been explained
    for language in LANGUAGES:
        path = f"docs/{language}/index.md"
        entry = _entry(_read(root, path), [f"{part}/index.md" for part in before], f"{name}/index.md", names["title"])
        files[path] = _inserted(_read(root, path), *entry)
    settings = _read(root, "mkdocs.yml")
    last = _last_in_nav(settings, before[-1])
    (outer,) = re.findall(rf"(?m)^( *)- {before[-1]}:", settings)
    files["mkdocs.yml"] = _inserted(settings, last.end(), f"\n{outer}- {name}:\n{last[1]}- {name}/index.md")
    return _write(root, files)


def _with_modules(book: Book) -> list[str]:
    """The parts that have modules, or will have: the appendix has nothing but worked examples."""
    return [part for part in book.parts() if (book.snippets_folder / part / "__init__.py").is_file()]


def _check_name(name: str, part: bool = False) -> None:
    if not NAME.fullmatch(name):
        instead = re.sub(r"[^a-z0-9]+", "-", name.removesuffix(".md").lower()).strip("-")
        hint = f", such as {instead}" if NAME.fullmatch(instead) else ""
        raise PageError(f"{name}: a name is made of small letters and digits, in words joined by hyphens{hint}")
    if keyword.iskeyword(name) or (part and (name in TAKEN or "-" in name)):
        raise PageError(f"{name}: no folder or module of Python can have this name here; choose another")


def _one_letter_off(name: str, known: list[str]) -> str:
    return near(name, known, cutoff=1 - 1 / len(name) - 1e-9)


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _fill(text: str, names: dict[str, str]) -> str:
    for key, value in names.items():
        text = text.replace(f"@{key}@", value)
    return text


def _for_a_lab(text: str) -> str:
    """The same scaffold without outputs and without an example that raises: a lab is executed as a notebook."""
    text = re.sub(rf"(?sm)^\n{re.escape(OUTPUT)}\n\n```text\n.*?^```\n", "", text)
    text = re.sub(r"(?s)\n<!-- --8<-- \[start:exercise-number\].*?\[end:exercise-number\] -->\n", "", text)
    return re.sub(r'\n--8<-- "[^"]*:exercise-number"\n', "", text)


def _entry(index: str, neighbours: list[str], target: str, title: str) -> tuple[int, str]:
    """Where an index lists a page, and how: below the last of its neighbours listed there, in the same form."""
    link = f"[TODO {title}]({target})"
    for neighbour in reversed(neighbours):
        if found := re.search(rf"(?m)^(?:\||- ).*\]\({re.escape(neighbour)}\).*$", index):
            break
    else:
        neighbour, found = "", re.search(r"(?m)^\|[-:| ]+\|$", index)  # a table without rows
    if found is None or found[0].startswith("- "):
        return (found.end() if found else len(index.rstrip("\n"))), f"\n- {link}: TODO"
    cells = re.split(r"(?<!\\)\|", found[0].strip("|"))
    if not neighbour:
        return found.end(), f"\n| {' | '.join(['1', link, 'TODO'][-len(cells) :])} |"
    new = [
        str(int(cell) + 1) if cell.strip().isdigit() else link if f"]({neighbour})" in cell else "TODO"
        for cell in cells
    ]
    return found.end(), f"\n| {' | '.join(new)} |"


def _last_in_nav(settings: str, part: str) -> re.Match[str]:
    """The line of mkdocs.yml that names the last page of a part; comments and all else are to stay."""
    lines = list(re.finditer(rf"(?m)^( *)- {part}/\S+\.md.*$", settings))
    if not lines:
        raise PageError(f"mkdocs.yml: `nav` has no line `- {part}/….md` below which another page could stand")
    return lines[-1]


def _inserted(text: str, position: int, new: str) -> str:
    return text[:position] + new + text[position:]


def _refuse_existing(root: Path, files: dict[str, str]) -> None:
    if there := [path for path in files if (root / path).exists()]:
        raise PageError(f"{', '.join(there)}: there already, and not overwritten; choose another name")


def _read(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8")


def _write(root: Path, files: dict[str, str]) -> list[str]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return list(files)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book page", description=__doc__.partition("\n\n")[2])
    parser.add_argument("name", metavar="PART/NAME", nargs="?", help="the page to make or to run")
    parser.add_argument("--part", metavar="NAME", help="start a new part")
    parser.add_argument("--new", action="store_true", help="make it although there is one of nearly the same name")
    given = parser.parse_args(arguments)
    if (given.name is None) == (given.part is None):
        parser.error("name one page, PART/NAME, or one new part, --part NAME")
    try:
        if given.part:
            written = make_part(ROOT, given.part, given.new)
            after = f"`python -m book page {given.part}/NAME` makes its first page"
        else:
            name = given.name.removesuffix(".md")
            pages = Book.read(ROOT).pages
            if any(f"{name}.md" in pages[language] for language in LANGUAGES):
                return 0 if belongings.run_page(name) else 1
            written = make_page(ROOT, name, given.new)
            part = name.partition("/")[0]
            after = f"The page is the last of its part: move its line in mkdocs.yml and in both {part}/index.md to "
            after += f"where it belongs. Ask two to four questions in docs/questions/{part}.yml. "
            after += f"`python -m book page {name}` runs all that belongs to it; `mkdocs serve` shows it"
    except PageError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(f"wrote {path}" for path in written))
    print(f"Write where it says TODO. {after}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
