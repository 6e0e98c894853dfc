"""The source of a page, taken apart line by line: what the checks and the tests look at.

This is no Markdown parser. It knows the forms that pages of this book use (CONTRIBUTING.md
lists them) and keeps the line of everything, so that a complaint can say where to look.
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import yaml

from book import LANGUAGES, editions, glossary, values

INCLUDE = re.compile(r'^\s*--8<-- "([^"]*)"\s*$')
MARKER = re.compile(r"--8<-- \[(start|end):\s*([\w-]+)\s*\]")
#: What pytest-codeblocks reads in the worked examples: an output stands below, and this one raises (its own
#: ``expect-error`` is deprecated in favour of pytest's marker).
OUTPUT = "<!--pytest-codeblocks:expected-output-->"
RAISES = "<!--pytest.mark.xfail-->"
#: In a file of examples: they need a package that readers may leave out, and perhaps all the weights in it.
NEEDS = re.compile(r"<!-- needs (\w+)(, whole)? -->")
#: Where a page has the table of all exercises (book/exercises.py).
EXERCISES = "<!-- exercises -->"
_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*(?:\{\s*#([^\s}]+)[^}]*\})?\s*$")
_BLOCK = re.compile(r"^(/{3,})\s*(?:([\w-]+)\s*(?:\|\s*(.*?))?)?\s*$")
_FOOTNOTE = re.compile(r"^\[\^([\w-]+)\]:")
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)[^)]*\)")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)[^)]*\)")
_REFERENCE = re.compile(r"\[\^([\w-]+)\](?!:)")
_CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_INLINE = re.compile(r"(?<![\\$])\$(?![\s$])((?:[^$\\]|\\.)+?)(?<!\s)\$(?!\d)")
_LISTED = re.compile(r"^ {0,3}(?:[-*+]\s|\d+[.)]\s|\[\^)")
_HTML = re.compile(r"<!--.*?(?:-->|$)|<[/!?]?[A-Za-z][^<>]*>?")

#: Markdown that the site would show and ``parse`` would miss, so that no check would see it.
_UNREAD = (
    (re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)+(?:`{3,}|~{3,})"), "start a fence at the start of a line"),
    (re.compile(r"^\s*;*-+8<-+(?!-)"), 'write an include as `--8<-- "file:section"`, in a line of its own'),
    (re.compile(r"^\s*\[[^\]^][^\]]*\]:"), "put the address into the link itself, [text](address)"),
    (re.compile(r"^\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+$"), "start every row of a table with |"),
    (re.compile(r"^#{1,6}[^#\s]"), "put a space between # and the heading"),
)


@dataclass(frozen=True)
class Item:
    """Something that both languages must have: a heading, a formula, an include, a figure …"""

    kind: str
    value: str
    line: int


@dataclass(frozen=True)
class Line:
    """A line of prose. ``place``: text, heading, title, caption, goals, short or table. What is often asked is kept."""

    text: str
    number: int
    place: str
    written: str = ""  # as typed, before its values were put in

    @property
    def marks(self) -> list[str]:
        """What stands between its {{braces}}."""
        return values.MARK.findall(self.written)

    @property
    def without_values(self) -> Line:
        return Line(values.MARK.sub(" ", self.written), self.number, self.place) if self.marks else self

    @property
    def compared(self) -> Line:
        """What both languages have: without the values of examples, which may be others in each."""
        text = values.MARK.sub(
            lambda mark: typed[2] if (typed := values.TYPED.fullmatch(mark[1])) else " ", self.written
        )
        return Line(text, self.number, self.place) if self.marks else self

    @cached_property
    def without_code(self) -> str:
        return _CODE.sub(" ", self.text)

    @cached_property
    def markup(self) -> str:
        """Without code and formulas: < and ]( mean nothing there."""
        return _INLINE.sub(" ", self.without_code)

    @cached_property
    def prose(self) -> str:
        """Without code, formulas, addresses and mark-up."""
        return _prose(self.markup)

    @property
    def filled(self) -> str:
        """As it stands, with an x for each piece of code, formula, picture and escaped sign."""
        return _IMAGE.sub("x", re.sub(r"\\.", "x", _INLINE.sub("x", _CODE.sub("x", self.text))))

    @property
    def shown(self) -> str:
        """As ``prose``, with the same x."""
        return _prose(self.filled)

    @property
    def tex(self) -> list[str]:
        """Its formulas, as typed."""
        return _INLINE.findall(self.without_code)

    @property
    def formulas(self) -> list[str]:
        return [_normal(tex) for tex in self.tex]

    @cached_property
    def images(self) -> list[tuple[str, str]]:
        """Alternative text and address of each image."""
        return _IMAGE.findall(self.without_code)

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """Text and address of each link."""
        return _LINK.findall(self.markup)

    @property
    def references(self) -> list[str]:
        return _REFERENCE.findall(self.without_code)

    @property
    def html(self) -> list[str]:
        """Tags and comments, except the marks of tables that the build writes."""
        return [tag for tag in _HTML.findall(self.markup) if tag not in (glossary.MARKER, EXERCISES)]

    @property
    def code(self) -> list[str]:
        return [code for _, code in _CODE.findall(self.text)]

    @property
    def is_bullet(self) -> bool:
        return bool(re.match(r"\s*(?:[-*+]|\d+[.)])\s", self.text))


@dataclass
class Fence:
    """A block of code as typed into a page, or into a file of worked examples."""

    info: str
    line: int
    marker: str
    indent: int
    body: list[str] = field(default_factory=list)
    end: int = 0  # the line that closes it; 0 if none does

    @property
    def language(self) -> str:
        return re.sub(r"^\{\s*\.?|[\s,}].*$", "", self.info).lower()


@dataclass
class Page:
    """One page in one language. ``name`` is its path below the language, ``attention/masks.md``."""

    path: Path
    language: str
    name: str
    meta: dict
    items: list[Item]
    lines: list[Line]
    fences: list[Fence]
    includes: list[tuple[str, int, Fence | None]]
    unread: list[tuple[int, str]]  # lines that the site shows otherwise than they are read here, and what to do
    formulas: list[tuple[int, str]] = field(default_factory=list)  # the display formulas, as typed

    def headings(self) -> list[tuple[int, str, str, int]]:
        """Level, id (empty if there is none), text and line of each heading."""
        found = []
        for line in self.lines:
            if line.place == "heading":
                marks, text, name = _HEADING.match(line.text).groups()
                found.append((len(marks), name or "", text, line.number))
        return found

    def anchors(self) -> set[str]:
        """Every id that a link may lead to, as far as it stands in the source."""
        return {name for line in self.lines for name in re.findall(r"\{[^}]*#([^\s}]+)", line.text)}

    def sections(self) -> list[tuple[str, int, list[Line]]]:
        """The lines below each heading, that line included: id, line of the heading, lines."""
        found: list[tuple[str, int, list[Line]]] = [("", 1, [])]
        for line in self.lines:
            if line.place == "heading":
                found.append((_HEADING.match(line.text).group(3) or "", line.number, []))
            found[-1][2].append(line)
        return found


def _prose(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", text))
    return _REFERENCE.sub(" ", re.sub(r"\{[^}]*\}|<[^>]*>", " ", text))


def fences(lines: list[str]) -> list[Fence]:
    """Every block of code of a page, or of a file of worked examples, in order."""
    found: list[Fence] = []
    fence: Fence | None = None
    in_formula = False
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        if fence is None and line.strip() == "$$":
            in_formula = not in_formula
        elif in_formula:
            continue
        elif fence is None and mark:
            fence = Fence(mark[3], number, mark[2], len(mark[1]))
            found.append(fence)
        elif fence is not None and mark and mark[2].startswith(fence.marker) and not mark[3]:
            fence.end, fence = number, None
        elif fence is not None:
            fence.body.append(line)
    return found


def read(path: Path) -> str:
    """The text of a file as the checks look at it. What is wrong with its characters is a problem of its own."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


def lines_of(text: str) -> list[str]:
    """As editors count them: ``splitlines`` also breaks at form feeds and the like."""
    return text.removesuffix("\n").split("\n") if text else []


def _normal(tex: str) -> str:
    """A formula without what may differ between languages: spaces and the words in \\text{}."""
    return re.sub(r"\s+", "", re.sub(r"\\text\{[^{}]*\}", r"\\text{}", tex))


def _columns(row: str) -> int:
    return len(re.split(r"(?<!\\)\|", _CODE.sub("", row).strip().strip("|")))


def parse(path: Path, language: str, name: str, snippets: Path = values.SNIPPETS) -> Page:
    """Read one page. Whatever is written in a form not known here is listed in ``unread``."""
    source = read(path)
    written, text = lines_of(source), lines_of(values.resolve(source, name, snippets, language))
    page = Page(path, language, name, {}, [], [], fences(text), [], [])
    inside = {number: fence for fence in page.fences for number in range(fence.line, (fence.end or len(text)) + 1)}
    number, began = 0, 0
    blocks: list[tuple[str, str, int]] = []  # slashes, kind and line of those that are open
    formula: list[str] | None = None
    table: list[str] = []

    if text and text[0] != "---" and text[0].strip() == "---":
        page.unread.append((1, "remove the spaces beside ---, or the front matter is not read"))
        text[0] = "---"
    if text and text[0] == "---":
        end = text.index("---", 1) if "---" in text[1:] else len(text)
        _read_meta(page, text[1:end])
        if end == len(text):
            page.unread.append((1, "the front matter never ends: put a line --- below it"))
        number = min(end + 1, len(text))

    previous, listed, indented = "", False, False
    flow = ""  # of what the line above is a part: text, list, table or none of them
    for number, line in enumerate(text[number:] + [""], start=number + 1):  # noqa: B020
        fence = inside.get(number)
        if fence is not None and number > fence.line:
            if number != fence.end and (found := INCLUDE.match(line)):
                page.includes.append((found[1], number, fence))
                page.items.append(Item("include", found[1], number))
            continue
        if formula is not None:
            if line.strip() == "$$":
                typed = "".join(written[began : number - 1])  # a value may be another one in each language
                page.items.append(Item("formula", _normal(values.MARK.sub(" ", typed)), began))
                page.formulas.append((began, "\n".join(formula)))
                formula = None
            else:
                formula.append(line)
            continue
        if table and not line.lstrip().startswith("|"):
            shape = f"{len(table) - 1} × {_columns(table[0])}"  # without the line of dashes
            page.items.append(Item("table", shape, number - len(table)))
            for below, row in enumerate(table, start=number - len(table)):
                if _columns(row) != _columns(table[0]):
                    message = (
                        f"this row has {_columns(row)} cells and the first one {_columns(table[0])}; write \\| for a |"
                    )
                    page.unread.append((below, message))
            table = []
        if line.strip():
            deep = line.startswith(("    ", "\t"))
            if deep and (found := _BLOCK.match(previous)) and found[2]:
                page.unread.append((number, "a block takes no options: remove this, or do not indent it"))
            if not deep:
                listed = bool(_LISTED.match(line)) or (listed and bool(previous.strip()))
            indented = deep and not listed and (indented or not previous.strip())
            if indented:
                page.unread.append((number, "Markdown takes this for code: do not indent it, or write a fence"))
            if re.fullmatch(r" {0,3}(?:=+|-+)\s*", line) and previous.strip():
                page.unread.append((number, "write a heading as `## Title {#id}`, and a rule below an empty line"))
        previous, above, flow = line, flow, ""
        if fence is not None:
            pass
        elif line.strip() == "$$":
            formula, began = [], number
        elif found := INCLUDE.match(line):
            page.includes.append((found[1], number, None))
            page.items.append(Item("include", found[1], number))
            if above:
                message = f"Markdown takes this for more of the {above} above: put an empty line between"
                page.unread.append((number, message))
        elif found := _BLOCK.match(line):
            slashes, kind, title = found.groups()
            if kind:
                blocks.append((slashes, kind, number))
                page.items.append(Item("block", f"{slashes} {kind}", number))
                page.lines.append(Line(title or "", number, "title", _BLOCK.match(written[number - 1])[3] or ""))
            elif blocks and blocks[-1][0] == slashes:
                page.items.append(Item("end of block", f"{slashes} {blocks.pop()[1]}", number))
            else:
                last = " ".join(blocks[-1][:2]) if blocks else "none"
                page.unread.append((number, f"{slashes} ends no block: the last one open is {last}"))
        elif line.strip():
            flow = "table" if line.lstrip().startswith("|") else "list" if listed else "text"
            if re.fullmatch(r" {0,3}(?:[-*_]\s*){3,}", line):
                flow = ""  # a rule
            elif above not in ("", flow) and not _FOOTNOTE.match(line):
                message = f"Markdown takes this for more of the {above} above: put an empty line between"
                page.unread.append((number, message))
            if flow == "table":
                table.append(line)
                place = "table"
            elif found := _HEADING.match(line):
                place, flow = "heading", ""
                page.items.append(Item("heading", f"{found[1]} {{#{found[3] or ''}}}", number))
            elif any(kind == "figure-caption" for _, kind, _ in blocks):
                place = "caption"
            elif found := next((kind for _, kind, _ in blocks if kind in ("goals", "short")), ""):
                place = found
            else:
                place = "text"
            if found := _FOOTNOTE.match(line):
                page.items.append(Item("footnote", found[1], number))
            page.lines.append(Line(line, number, place, written[number - 1]))
            page.items += [Item("image", address, number) for _, address in page.lines[-1].images]
            page.unread += [(number, message) for message in _unread(page.lines[-1])]
    page.unread += [
        (fence.line, f"this fence never ends: add a line {fence.marker}") for fence in page.fences if not fence.end
    ]
    if formula is not None:
        page.unread.append((began, "this formula never ends: add a line $$"))
    page.unread += [(line, f"this block never ends: add a line {slashes}") for slashes, _, line in blocks]
    return page


def _read_meta(page: Page, lines: list[str]) -> None:
    try:
        meta = yaml.safe_load("\n".join(lines)) or {}
    except yaml.YAMLError as error:
        line, problem = glossary.yaml_fault(error)
        page.unread.append((line + 1, f"the front matter is not YAML: {problem}; quote the value"))
        return
    if isinstance(meta, dict):
        page.meta = meta
    else:
        page.unread.append((1, "the front matter needs lines `title: …` and `description: …`"))


def _unread(line: Line) -> list[str]:
    """What to do about the forms in a line that ``parse`` does not know."""
    found = [message for form, message in _UNREAD if form.match(line.text)]
    if "$$" in line.without_code:
        found.append("write a display formula between two lines that hold $$ and nothing else")
    markup = line.markup
    if markup.count("](") != len(_IMAGE.findall(markup)) + len(_LINK.findall(markup)):
        found.append("write a link or image in one line, with no brackets in an alternative text")
    return found


class Settings(yaml.SafeLoader):
    """mkdocs.yml as data: !ENV and whatever other tags it has mean nothing here."""


Settings.add_multi_constructor("!", lambda loader, suffix, node: None)


class SettingsError(ValueError):
    """mkdocs.yml cannot be read; ``line`` says where."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def navigation(root: Path) -> list[str]:
    """The pages of mkdocs.yml in reading order. Raises ``SettingsError``."""

    def flat(entry) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        if isinstance(entry, dict):
            return [page for value in entry.values() for page in flat(value)]
        if isinstance(entry, list):
            return [page for item in entry for page in flat(item)]
        raise SettingsError(1, f"`nav` holds {entry!r}: it names pages, and parts with lists of pages")

    try:
        config = yaml.load(read(root / "mkdocs.yml"), Loader=Settings)
    except yaml.YAMLError as error:
        line, problem = glossary.yaml_fault(error)
        raise SettingsError(line, f"this is not YAML: {problem}") from None
    return flat((config or {}).get("nav") or [])


def visible(path: Path, root: Path) -> bool:
    """No part of its name below ``root`` begins with a dot: those are files of editors and systems."""
    return not any(name.startswith(".") for name in path.relative_to(root).parts)


@dataclass
class Book:
    """Everything the checks look at."""

    root: Path
    pages: dict[str, dict[str, Page]]  # by language, then by name
    nav: list[str]

    @classmethod
    def read(cls, root: Path) -> Book:
        pages = {
            language: {
                (name := path.relative_to(root / "docs" / language).as_posix()): parse(
                    path, language, name, root / "snippets"
                )
                for path in sorted((root / "docs" / language).rglob("*.md"))
                if visible(path, root) and path.is_file()
            }
            for language in LANGUAGES
        }
        return cls(root, pages, navigation(root))

    @property
    def snippets_folder(self) -> Path:
        return self.root / "snippets"

    def every_page(self) -> list[Page]:
        return [page for pages in self.pages.values() for page in pages.values()]

    def pairs(self) -> list[tuple[Page, Page]]:
        """Each page that exists in both languages, Korean first."""
        return [(page, self.pages["en"][name]) for name, page in self.pages["ko"].items() if name in self.pages["en"]]

    def pages_of(self, name: str) -> list[str]:
        """The pages of the part whose index page is ``name``, in reading order."""
        folder = name.removesuffix("index.md")
        return [other for other in self.nav if other.startswith(folder) and other != name]

    def parts(self) -> list[str]:
        """The folders of ``snippets`` that hold what is taught, in reading order."""
        order = list(dict.fromkeys(name.partition("/")[0] for name in self.nav))
        folders = {path.parent.name for path in (self.root / "snippets").glob("*/*")} - {
            "figures",
            "onefile",
            "results",
            "tools",
        }
        parts = sorted(name for name in folders if not name.startswith(("_", ".")))
        return sorted(parts, key=lambda part: order.index(part) if part in order else len(order))

    def snippets(self) -> list[Path]:
        """What the book teaches: modules and worked examples of every part, in reading order."""
        return [path for part in self.parts() for path in self._code(part, "py", "md")]

    def tools(self) -> list[Path]:
        """What it uses and does not teach."""
        return self._code("tools", "py")

    def files(self) -> list[Path]:
        """Whole models, each in one file, which the site offers to download."""
        return self._code("onefile", "py")

    def figures(self) -> list[Path]:
        """Those of the parts, in reading order, and then what pages show that belong to none: the home page."""
        return [path for part in [*self.parts(), "home"] for path in self._code(f"figures/{part}", "py")]

    def _code(self, folder: str, *suffixes: str) -> list[Path]:
        files = (path for suffix in suffixes for path in (self.root / "snippets" / folder).glob(f"*.{suffix}"))
        return sorted(path for path in files if not path.name.startswith(("_", ".")) and not editions.language_of(path))

    def overlays(self) -> list[Path]:
        """The sections of what the book teaches that differ in an edition."""
        return editions.overlays(self.root / "snippets")

    def address(self, path: Path) -> str:
        """How a page includes a file of ``snippets``: ``attention/masks.py``."""
        return path.relative_to(self.root / "snippets").as_posix()


def near(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """What a wrong name may have meant, as the end of a complaint; nothing if no name is like it."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"; did you mean {found[0]}?" if found else ""


@dataclass(frozen=True)
class Section:
    """A named section of a file in ``snippets``; ``line`` and ``end`` are those of its markers."""

    name: str
    line: int
    end: int
    lines: tuple[str, ...]  # between the markers


def read_sections(lines: list[str]) -> tuple[list[Section], list[tuple[int, str]]]:
    """The sections of a file, in order, and what is wrong with their markers: line, and what to do."""
    found: list[Section] = []
    wrong: list[tuple[int, str]] = []
    name, began = "", 0  # of the one that is open
    for number, line in enumerate(lines, start=1):
        if not (marker := MARKER.search(line)):
            continue
        if name:  # whatever marker comes next ends it
            found.append(Section(name, began, number, tuple(lines[began : number - 1])))
        if marker[1] == "start":
            if name:
                wrong.append((number, f"section {marker[2]} starts inside {name}: end that one first"))
            name, began = marker[2], number
        else:
            if marker[2] != name:
                wrong.append((number, f"section {marker[2]} ends here and did not start: add the start, or rename"))
            name = ""
    if name:
        found.append(Section(name, began, len(lines) + 1, tuple(lines[began:])))
        wrong.append((began, f"section {name} never ends: add `--8<-- [end:{name}]`"))
    return found, wrong


def sections(path: Path) -> dict[str, int]:
    """The named sections of a file in ``snippets``, with the line where each starts."""
    found: dict[str, int] = {}
    for section in read_sections(lines_of(read(path)))[0]:
        found.setdefault(section.name, section.line)
    return found


def paragraphs(page: Page) -> Iterator[list[Line]]:
    """The lines that Markdown takes together."""
    found: list[Line] = []
    for line in page.lines:
        alone = line.place in ("heading", "title", "table") or line.is_bullet
        if found and (alone or line.number != found[-1].number + 1 or found[-1].place in ("heading", "title", "table")):
            yield found
            found = []
        found.append(line)
    if found:
        yield found


#: What is looked at as text, and the folders that hold what others made or what the book makes anew.
TEXT = {".css", ".html", ".js", ".json", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml", ""}
OTHERS = {"__pycache__", "katex", "node_modules", "site"}
#: Folders whose name begins with a dot, and which are the book's all the same.
DOTTED = {".github", ".ci"}


def text_files(root: Path) -> Iterator[Path]:
    """Everything that is written by hand."""
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if name not in OTHERS
            and (not name.startswith(".") or name in DOTTED)
            and (here / name).relative_to(root).as_posix() not in ("docs/assets/figures", "docs/assets/weights")
            and not (here / name / "pyvenv.cfg").exists()
        )
        yield from (here / name for name in sorted(files) if not name.startswith(".") and Path(name).suffix in TEXT)
