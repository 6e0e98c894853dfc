"""What holds the book together: ``python -m book.checks`` says what is wrong, where, and what to do.

The build warns of each problem (so a strict build refuses it), and the tests run the same
checks. Each check is a function that takes the book and yields problems; ``CHECKS`` lists them.
"""

from __future__ import annotations

import ast
import io
import itertools
import posixpath
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from book import (
    LANGUAGES,
    ROOT,
    alike,
    article,
    comments,
    counted,
    editions,
    forms,
    glossary,
    hangul,
    letters,
    minimap,
    moved,
    numbers,
    outline,
    questions,
    search,
    touch,
    unused,
    values,
)
from book.pages import (
    INCLUDE,
    MARKER,
    NEEDS,
    OUTPUT,
    RAISES,
    Book,
    Line,
    Page,
    SettingsError,
    lines_of,
    navigation,
    near,
    paragraphs,
    parse,
    read,
    read_sections,
    sections,
    text_files,
    visible,
)
from book.problems import Problem
from book.wording import QUOTED, refused
from book.wording import load as private_words

PYTHON = {"python", "py", "python2", "py2", "python3", "py3", "pycon", "python-console", "ipython", "ipython3"}
#: What may be typed into a page: commands, and how a page is written.
TYPED = {"sh", "markdown"}
PYTHON |= {"pyi", "numpy", "sage", "doctest"}  # further names that the highlighter colours as Python

#: How much code fits beside the two sidebars (docs/assets/css/book.css), and in a solution, which is indented.
COLUMNS, COLUMNS_OF_SOLUTIONS = 84, 74

#: Pages without definitions of terms: a reader may come to them before, or long after, the rest.
NO_FIRST_USE = ("index.md", "appendix/")

#: Files that docs may hold, since whatever stands there is published.
PUBLISHED = {".css", ".js", ".svg", ".png", ".jpg", ".webp", ".woff2"}
#: Bytes. A page of more is several pages, and a reader on a phone waits for a picture.
LARGEST_PAGE, LARGEST_PICTURE = 60_000, 400_000
#: What no editor shows: control characters, zero widths, changes of direction, separators of lines.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
#: What Git leaves where it could not merge.
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?=\s|$)", re.M)


# ---- what everything else is read from: if one of these has a problem, no other check is made


def encodings(root: Path) -> Iterator[Problem]:
    """Text is UTF-8, and a page is no book."""
    for path in text_files(root):
        try:
            data = path.read_bytes()
            data.decode()
        except FileNotFoundError:  # a link that leads nowhere
            continue
        except UnicodeDecodeError as error:
            yield Problem(path, data[: error.start].count(b"\n") + 1, "this is not UTF-8: save the file as UTF-8")
        if path.suffix == ".md" and len(data) > LARGEST_PAGE:
            yield Problem(path, 1, f"has {len(data) // 1000} kB: more than {LARGEST_PAGE // 1000} kB is several pages")


def settings(root: Path) -> Iterator[Problem]:
    """mkdocs.yml can be read."""
    try:
        navigation(root)
    except SettingsError as error:
        yield Problem(root / "mkdocs.yml", error.line, str(error))


def entries(root: Path) -> Iterator[Problem]:
    """So can the glossary, and the keys of the search."""
    for name, load in (("glossary.yml", glossary.load), ("keywords.yml", search.keywords)):
        try:
            load(root / "docs" / name)
        except glossary.EntryError as error:
            yield Problem(root / "docs" / name, error.line, error.message)


# ---- files


def characters(book: Book) -> Iterator[Problem]:
    """Nothing that an editor does not show, one way to write a syllable, and no trace of a merge."""
    for path in text_files(book.root):
        if not path.is_file():
            continue
        text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
        if text.startswith("\ufeff"):
            yield Problem(path, 1, "starts with a byte order mark: save the file as UTF-8 without BOM")
            text = text[1:]

        def line(position: int, text: str = text) -> int:
            return text.count("\n", 0, position) + 1

        for found in UNSEEN.finditer(text):
            name = unicodedata.name(found[0], "a control character")
            yield Problem(
                path, line(found.start()), f"holds U+{ord(found[0]):04X} ({name}), which nobody sees: remove it"
            )
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            number = next(n for n, part in enumerate(lines_of(text), 1) if not unicodedata.is_normalized("NFC", part))
            yield Problem(path, number, "letters stand here in pieces (NFD): save the file with whole ones (NFC)")
        for found in CONFLICT.finditer(text):
            yield Problem(
                path, line(found.start()), f"{found[0]} is left of a merge: choose one version, remove the marks"
            )


def published(book: Book) -> Iterator[Problem]:
    """Below docs stands only what may be published, and nothing too large to load."""
    docs = book.root / "docs"
    for path in sorted(docs.rglob("*")):
        if not visible(path, docs):
            continue
        name = path.relative_to(docs).as_posix()
        made = name.startswith(("assets/figures/", "assets/weights/"))  # by the build
        if path.is_symlink():
            yield Problem(path, 1, "is a link, and what it leads to would be published: put the file itself here")
        elif path.is_file() and not made:
            in_language = name.partition("/")[0] in LANGUAGES
            allowed = path.suffix == ".md" if in_language else path.suffix in PUBLISHED or path.name == "LICENSE"
            allowed |= name in ("glossary.yml", "keywords.yml", "wording.yml")
            allowed |= bool(re.fullmatch(r"questions/[a-z0-9-]+\.yml", name))
            if not allowed:
                what = "pages, .md" if in_language else f"files that end in {', '.join(sorted(PUBLISHED))}"
                yield Problem(path, 1, f"would be published: here stand only {what}; move it, or remove it")
            if in_language and not re.fullmatch(r"\w+/(?:[a-z0-9-]+/)*[a-z0-9-]+\.md", name):
                yield Problem(path, 1, "this name becomes an address: use small letters, digits and hyphens")
        if name.startswith("assets/weights/"):
            continue  # loaded when a reader asks for it; book/weights.py sees to its size
        if path.is_file() and path.suffix != ".md" and path.stat().st_size > LARGEST_PICTURE:
            size, most = path.stat().st_size // 1000, LARGEST_PICTURE // 1000
            yield Problem(
                path, 1, f"has {size} kB, and a reader on a phone waits for it: make it smaller than {most} kB"
            )


def style_sheets(book: Book) -> Iterator[Problem]:
    """Every brace is closed: browsers drop the rest of the file without a word."""
    for path in sorted((book.root / "docs" / "assets" / "css").glob("*.css")):
        text = re.sub(
            r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", lambda found: "\n" * found[0].count("\n"), read(path), flags=re.S
        )
        began: list[int] = []  # the lines of the braces that are open
        for number, line in enumerate(lines_of(text), start=1):
            if began and re.match(r"[^\s})]", line):
                yield Problem(
                    path, began[-1], f"this brace is still open in line {number}: close it, or indent that line"
                )
                break
            for brace in re.findall(r"[{}]", line):
                if brace == "{":
                    began.append(number)
                elif began:
                    began.pop()
                else:
                    yield Problem(path, number, "this brace closes nothing: remove it, or open one")
        else:
            if began:
                yield Problem(path, began[-1], "this brace is never closed: add a }")


# ---- the pages as a whole

#: Characters.
LONGEST_TITLE = {"ko": 40, "en": 60}


def unread_forms(book: Book) -> Iterator[Problem]:
    """Nothing is written in a form that the site shows and the other checks cannot see."""
    for page in book.every_page():
        for line, message in page.unread:
            yield Problem(page.path, line, message)


def both_languages(book: Book) -> Iterator[Problem]:
    """Every page exists in both languages and in the navigation."""
    for language, other in (LANGUAGES, LANGUAGES[::-1]):
        for name, page in book.pages[language].items():
            if name not in book.pages[other]:
                yield Problem(page.path, 1, f"has no counterpart: write docs/{other}/{name}")
            if name not in book.nav:
                yield Problem(page.path, 1, f"is not in the navigation: add {name} to `nav` in mkdocs.yml")
    for number, name in enumerate(book.nav):
        if name in book.nav[:number]:
            yield Problem(book.root / "mkdocs.yml", 1, f"`nav` names {name} twice: take one out")
        if not any(name in pages for pages in book.pages.values()):
            yield Problem(
                book.root / "mkdocs.yml",
                1,
                f"`nav` names {name}, which does not exist: write it, or take it out of `nav`",
            )


def front_matter(book: Book) -> Iterator[Problem]:
    """Title and description of every page, each its own."""
    limits = {"ko": (20, 120), "en": (50, 170)}
    for language, pages in book.pages.items():
        seen: dict[str, Page] = {}
        for page in pages.values():
            for key in ("title", "description"):
                value = str(page.meta.get(key) or "").strip()
                if not value:
                    yield Problem(page.path, 1, f"has no {key}: add `{key}: …` between two lines --- at the top")
                elif value in seen:
                    yield Problem(page.path, 1, f"has the {key} of {seen[value].name}: say what is special about it")
                elif found := re.search(r'[<>"]', value):
                    yield Problem(page.path, 1, f"has {found[0]} in its {key}, which stands in HTML: say it without")
                elif key == "title" and len(value) > LONGEST_TITLE[language]:
                    most = LONGEST_TITLE[language]
                    message = f"has a title of {len(value)} characters: tabs and search engines show {most}"
                    yield Problem(page.path, 1, message)
                seen[value] = page
            for level, _, text, line in page.headings()[:1]:
                title = str(page.meta.get("title") or text).strip()
                if level == 1 and "$" not in text and re.sub(r"[*`]", "", text) != title:
                    yield Problem(page.path, line, f"the heading is not the title, {title}: make them the same")
            length = len(str(page.meta.get("description") or ""))
            low, high = limits[language]
            if length and not low <= length <= high:
                yield Problem(
                    page.path, 1, f"has a description of {length} characters: search engines show {low} to {high}"
                )


def on_the_map(book: Book) -> Iterator[Problem]:
    """What a page calls its place in the Transformer is on the small map, and the same in both languages."""
    for language, other in (LANGUAGES, LANGUAGES[::-1]):
        for name, page in book.pages[language].items():
            if "map" not in page.meta:
                continue
            where, known, twin = str(page.meta["map"]), minimap.NAMES, book.pages[other].get(name)
            if where not in known:
                message = f"map: {where} is not on the map{near(where, known)}; it has {', '.join(known)}"
            elif twin and twin.meta.get("map") != where:
                there = twin.meta.get("map", "nothing")
                message = f"map: {where}, and docs/{other}/{name} has {there}: write the same"
            else:
                continue
            number = next((n for n, line in enumerate(lines_of(read(page.path)), 1) if line.startswith("map:")), 1)
            yield Problem(page.path, number, message)


def unwritten(book: Book) -> Iterator[Problem]:
    """Nothing is left of what the scaffold of ``python -m book.page`` asks the author to write."""
    snippets = book.root / "snippets"
    for path in [
        *(page.path for page in book.every_page()),
        *sorted(path for path in snippets.rglob("*.[mp][dy]") if not path.name.startswith(".")),
        *sorted(snippets.rglob("comments.*.yml")),
    ]:
        text = lines_of(read(path))
        if lines := [number for number, line in enumerate(text, start=1) if re.search(r"\bTODO\b", line)]:
            others = f", and in lines {', '.join(map(str, lines[1:]))}" if lines[1:] else ""
            yield Problem(path, lines[0], f"still to be written{others}: do what TODO asks for, and take TODO out")


def headings(book: Book) -> Iterator[Problem]:
    """One heading of level 1, first; no level left out; an id of its own for each."""
    for page in book.every_page():
        found = page.headings()
        if not found:
            yield Problem(page.path, 1, "has no heading: start with `# Title {#id}`")
        previous, ids = 0, {}
        for level, name, text, line in found:
            if (level == 1) != (previous == 0):
                yield Problem(page.path, line, f"`{text}`: exactly the first heading of a page has level 1")
            elif level > previous + 1:
                yield Problem(page.path, line, f"`{text}` has level {level} below level {previous}: leave none out")
            if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
                yield Problem(
                    page.path, line, f"`{text}` needs an id in plain letters, the same in both languages: {{#…}}"
                )
            elif name in ids:
                yield Problem(page.path, line, f"the id {name} already stands in line {ids[name]}: choose another")
            previous, ids[name] = level, line


def nothing_empty(book: Book) -> Iterator[Problem]:
    """Every heading and every block has something below it, and every exercise a solution in it."""
    for page in book.every_page():
        filled = {  # dots alone say nothing
            line.number for line in page.lines if line.place != "title" and re.search(r"[\w$]", line.prose + line.text)
        }
        filled |= {fence.line for fence in page.fences} | {line for _, line, _ in page.includes}
        filled |= {line for line, _ in page.formulas}
        heads = [(level, line) for level, _, _, line in page.headings()]
        for (level, line), (deeper, following) in itertools.pairwise([*heads, (0, 10**9)]):
            if deeper <= level and not any(line < number < following for number in filled):
                yield Problem(page.path, line, "nothing stands below this heading: write the section, or remove it")
        opened: list[tuple[str, int]] = []
        solved: set[int] = set()  # the lines of the exercises that have a solution
        for item in page.items:
            if item.kind == "block":
                kind = item.value.split()[1]
                if kind == "solution":
                    solved |= {line for above, line in opened if above == "exercise"}
                opened.append((kind, item.line))
            elif item.kind == "end of block":
                kind, line = opened.pop()
                if not any(line < number < item.line for number in filled):
                    yield Problem(page.path, line, f"this {kind} is empty: fill it in, or remove it")
                elif kind == "exercise" and line not in solved:
                    yield Problem(page.path, line, "this exercise has no solution: put a block `/// solution` into it")


def parts_name_their_pages(book: Book) -> Iterator[Problem]:
    """The index page of a part leads to each of its pages, in their order; the first page leads to the parts."""
    for page in book.every_page():
        if posixpath.basename(page.name) != "index.md":
            continue
        expected = (
            book.pages_of(page.name)
            if "/" in page.name
            else [name for name in book.nav if re.fullmatch(r"[\w-]+/index\.md", name)]
        )
        folder = posixpath.dirname(page.name)
        led = [
            (posixpath.normpath(posixpath.join(folder, address.partition("#")[0])), line.number)
            for line in page.lines
            for _, address in line.links
        ]
        place, here = 0, 1
        for name in expected:
            later = next((n for n, (target, _) in enumerate(led[place:], place) if target == name), None)
            if later is not None:
                place, here = later + 1, led[later][1]
            elif name in dict(led):
                message = f"{name} stands before this, and after it in `nav`: both have one order"
                yield Problem(page.path, here, message)
                break
            else:
                link = posixpath.relpath(name, folder or ".")
                yield Problem(page.path, here, f"does not lead to {name}: add a link [title]({link}) below this line")


# ---- code


def typed_code(book: Book) -> Iterator[Problem]:
    """No Python is typed into a page; a Python fence holds includes only."""
    for page in book.every_page():
        for fence in page.fences:
            if not fence.language:
                yield Problem(page.path, fence.line, "say what this fence holds: ```text, or ```sh for commands")
            if fence.language not in PYTHON:
                if fence.language and fence.language not in TYPED:
                    message = (
                        "put what is printed into a worked example, which a page includes: only ```sh is typed here"
                    )
                    yield Problem(page.path, fence.line, message)
                elif fence.language and (fence.info != fence.language or fence.indent):
                    message = f"write this fence as ```{fence.language}, not indented and without options"
                    yield Problem(page.path, fence.line, message)
                continue
            if fence.info != "python" or fence.marker != "```" or fence.indent:
                yield Problem(page.path, fence.line, "write this fence as ```python, not indented and without options")
            for number, line in enumerate(fence.body, start=fence.line + 1):
                if line.strip() and not INCLUDE.match(line):
                    yield Problem(
                        page.path,
                        number,
                        "Python is typed into a page: put it into a section of a file in snippets, "
                        'and include it by `--8<-- "file.py:section"`',
                    )
                    break


def includes(book: Book) -> Iterator[Problem]:
    """Every include names a section that exists, and stands where it belongs."""
    known = {book.address(path): sections(path) for path in [*book.snippets(), *book.tools()]}
    for page in book.every_page():
        for target, line, fence in page.includes:
            source = fence is not None and fence.language not in PYTHON  # may show either
            name, _, section = target.partition(":")
            if name not in known:
                yield Problem(page.path, line, f"there is no snippets/{name}{near(name, known)}")
            elif section not in known[name]:
                yield Problem(
                    page.path, line, f"snippets/{name} has no section {section!r}{_instead(section, known[name])}"
                )
            elif source:
                continue
            elif name.endswith(".py") and fence is None:
                yield Problem(page.path, line, f"{target} is a definition: put the include into a ```python fence")
            elif name.endswith(".md") and fence is not None:
                yield Problem(
                    page.path, line, f"{target} is a worked example with fences of its own: take it out of this one"
                )


def _instead(name: str, known: Collection[str]) -> str:
    """The name that was meant, or those that there are, if they are few."""
    return near(name, known) or (f": it has {', '.join(sorted(known)) or 'none'}" if len(known) < 6 else ": correct it")


def markers(book: Book) -> Iterator[Problem]:
    """In snippets, every section has a start and an end, a name of its own, and something in it."""
    for path in [*book.snippets(), *book.tools(), *book.overlays()]:
        found, wrong = read_sections(lines_of(read(path)))
        for number, message in wrong:
            yield Problem(path, number, message)
        seen: dict[str, int] = {}
        for section in found:
            name = section.name
            if name in seen:
                yield Problem(path, section.line, f"section {name} already starts in line {seen[name]}: rename one")
            if path.suffix == ".md" and not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
                yield Problem(path, section.line, f"section {name}: say what it computes, in words joined by hyphens")
            if not "".join(section.lines).strip():
                yield Problem(path, section.line, f"section {name} is empty: fill it in, or remove it")
            seen[name] = section.line


def definitions(book: Book) -> Iterator[Problem]:
    """Everything that a module of a part does stands in a section, so that readers see all of it."""
    for path in book.snippets():
        if path.suffix != ".py":
            continue
        text = read(path)
        shown = [(section.line, section.end) for section in read_sections(lines_of(text))[0]]
        try:
            body = ast.parse(text).body
        except SyntaxError as error:
            yield Problem(path, error.lineno or 1, f"this is not Python: {error.msg}")
            continue
        for number, node in enumerate(body):
            docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not docstring and not any(start < node.lineno and node.end_lineno < end for start, end in shown):
                message = "no reader sees this: put it into a section that a page shows, or into snippets/tools"
                yield Problem(path, node.lineno, message)


def worked_examples(book: Book) -> Iterator[Problem]:
    """In snippets/*.md, whatever looks like a test is one: pytest-codeblocks passes over the rest."""
    for path in [*book.snippets(), *book.overlays()]:
        if path.suffix != ".md":
            continue
        text = lines_of(read(path))
        file = parse(path, "en", path.name)
        in_section = {n for part in read_sections(text)[0] for n in range(part.line + 1, part.end)}
        in_fence = {n for fence in file.fences for n in range(fence.line, (fence.end or len(text)) + 1)}
        for line, message in file.unread:
            yield Problem(path, line, message)
        for fence in file.fences:
            if fence.info not in ("python", "text") or fence.marker != "```" or fence.indent:
                yield Problem(
                    path, fence.line, "only plain ```python and ```text are run: remove options and indentation"
                )
            if fence.info == "text":
                before = [line.strip() for line in text[: fence.line - 1] if line.strip()]
                if before[-1:] != [OUTPUT]:
                    yield Problem(
                        path,
                        fence.line,
                        f"this output would not be compared: put {OUTPUT} above it",
                    )
        for number, line in enumerate(text, start=1):
            if number in in_fence and number in in_section or not line.strip() or MARKER.search(line):
                continue
            if NEEDS.fullmatch(line) and number == 3:
                continue
            if line.strip() == RAISES and number in in_section and path.parent.name != "labs":
                if next((below for below in text[number:] if below.strip()), "") != "```python":
                    yield Problem(path, number, "this marker belongs right above the ```python fence that raises")
            elif re.match(r"<!--[-\s]*pytest", line):
                if line.strip() != OUTPUT:
                    yield Problem(path, number, "every example is run as it stands: remove this marker")
            elif number in in_section:
                yield Problem(path, number, "prose belongs on the pages, in both languages: move it there")
            elif not line.startswith("# "):
                yield Problem(path, number, "this stands in no section, so no page can show it: move it into one")


def code_width(book: Book) -> Iterator[Problem]:
    """Code that is shown fits the page: nobody reads what has to be scrolled."""
    for path in [*book.snippets(), *book.tools(), *book.overlays()]:
        for section in read_sections(lines_of(read(path)))[0]:
            if path.suffix == ".md" and values.SECTION.fullmatch(section.name):
                continue
            most = COLUMNS_OF_SOLUTIONS if section.name.startswith("exercise-") else COLUMNS
            for number, line in enumerate(section.lines, start=section.line + 1):
                if len(line) > most:
                    yield Problem(path, number, f"{len(line)} columns are wider than a page: break the line at {most}")


def everything_is_shown(book: Book) -> Iterator[Problem]:
    """Every section and every figure is on some page, in each language."""
    for path in book.snippets():
        if not sections(path):
            yield Problem(path, 1, "has no section, so no page can show it: put `--8<-- [start:name]` above one")
    for language, pages in book.pages.items():
        shown = {
            target
            for page in pages.values()
            for target, _, fence in page.includes
            if fence is None or fence.language in PYTHON  # elsewhere it is shown as source, and not run
        }
        drawn = {name for page in pages.values() for name, *_ in _figures(page)}
        for path in book.snippets():
            for section, line in sections(path).items():
                if path.suffix == ".md" and values.SECTION.fullmatch(section):
                    continue
                target = f"{book.address(path)}:{section}"
                if target not in shown:
                    yield Problem(path, line, f'no page in docs/{language} shows this: include "{target}"')
        for path in book.figures():
            if (name := figure_name(path)) not in drawn:
                yield Problem(
                    path, 1, f"no page in docs/{language} shows this figure: ![…](…/assets/figures/{name}.svg)"
                )


# ---- figures and other hosts


def figure_name(path: Path) -> str:
    """What a page calls the figure of a module: ``attention/masks``."""
    return f"{path.parent.name}/{path.stem}"


def _figures(page: Page) -> Iterator[tuple[str, str, str, int]]:
    """Name, alternative text, address and line of each figure."""
    for line in page.lines:
        for alt, address in line.images:
            if found := re.search(r"assets/figures/([\w/-]+)\.svg$", address):
                yield found[1], alt, address, line.number


def figures(book: Book) -> Iterator[Problem]:
    """Each figure has a module, and a caption below it."""
    known = {figure_name(path) for path in book.figures()}
    for page in book.every_page():
        source = lines_of(read(page.path))
        for name, _, _, line in _figures(page):
            if name not in known:
                yield Problem(page.path, line, f"there is no snippets/figures/{name}.py{near(name, known)}")
            below = next((text for text in source[line:] if text.strip()), "")
            if not re.match(r"/{3,}\s*figure-caption", below):
                yield Problem(
                    page.path, line, f"figure {name} needs a caption: add `/// figure-caption` … `///` below it"
                )


def touchable_figures(book: Book) -> Iterator[Problem]:
    """What is to be touched has a script, and a script a figure, in both languages."""
    known, figures = touch.names(book.root), {figure_name(path) for path in book.figures()}
    marked: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for page in book.every_page():
        captions = [line for line in page.lines if line.place == "caption"]
        for line in page.lines:
            for name, mark in re.findall(r"assets/figures/([\w/-]+)\.svg\)\s*(\{[^}]*\}?)?", line.without_code):
                if not mark:
                    continue
                if mark != touch.MARK or f"svg){mark}" not in line.text:
                    message = f"behind an image stands {touch.MARK} and nothing else, without a space: not {mark}"
                    yield Problem(page.path, line.number, message)
                elif name not in known:
                    message = f"there is no {touch.FOLDER.as_posix()}/{name}.js{near(name, known)}"
                    yield Problem(page.path, line.number, f"{message}; write it, or remove {mark}")
                elif not any(touch.TRY[page.language] in one.text for one in captions if one.number > line.number):
                    message = f"say at the end of the caption what to try: {touch.TRY[page.language]} …"
                    yield Problem(page.path, line.number, message)
                marked[page.language].add(name)
    for name in known:
        path = touch.module_path(name, book.root)
        if name not in figures:
            yield Problem(path, 1, f"there is no snippets/figures/{name}.py{near(name, figures)} that it belongs to")
            continue
        for language, found in marked.items():
            if name not in found:
                message = f"nobody can touch this in docs/{language}: put {touch.MARK} behind the image of {name}"
                yield Problem(path, 1, message)


def alternative_texts(book: Book) -> Iterator[Problem]:
    """Every image says what it shows, in the language of the page."""
    for page in book.every_page():
        for line in page.lines:
            for alt, address in line.images:
                if len(alt.strip()) < 15 or alt.strip() == Path(address).stem:
                    yield Problem(
                        page.path, line.number, f"{address} needs an alternative text that says what it shows"
                    )
    for korean, english in book.pairs():
        texts = {alt for line in english.lines for alt, _ in line.images if alt.strip()}
        for line in korean.lines:
            for alt, _ in line.images:
                if alt in texts:
                    yield Problem(
                        korean.path, line.number, "this alternative text is the English one: write it in Korean"
                    )


#: Calls that write something into a figure: where among the arguments it stands.
WRITES = {"text": 2, "annotate": 0, "set_title": 0, "suptitle": 0, "set_xlabel": 0, "set_ylabel": 0, "set_label": 0}
#: Calls that draw numbers.
DRAWS = {"plot", "bar", "barh", "scatter", "imshow", "fill_between", "errorbar", "hist", "step", "stem", "cells"}


def labels(book: Book) -> Iterator[Problem]:
    """What a figure says comes from TEXT, and what it shows is computed."""
    for path in book.figures():
        try:
            tree = ast.parse(read(path))
        except SyntaxError as error:
            yield Problem(path, error.lineno or 1, f"this is not Python: {error.msg}")
            continue
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            name = call.func.attr
            written = call.args[WRITES[name] :][:1] if name in WRITES else []
            written += [word.value for word in call.keywords if word.arg in ("label", "title", "xlabel", "ylabel")]
            for node in written:
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                typed = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
                for text in typed:
                    if re.search(r"\b[^\W\d_]{2,}\b", text) and not text.startswith("_"):
                        yield Problem(path, node.lineno, f"{text!r} is a label: put it into TEXT, in both languages")
                    elif re.search(r"(?<![\w])\d", text):
                        yield Problem(path, node.lineno, f"{text!r} holds a number: compute it, and format it in")
            for node in call.args if name in DRAWS else []:
                numbers = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
                if len(numbers) > 2 and all(isinstance(_unsigned(number), ast.Constant) for number in numbers):
                    yield Problem(path, node.lineno, "these numbers are typed in: compute what is drawn")


def _unsigned(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def html(book: Book) -> Iterator[Problem]:
    """HTML could load, run and hide anything: only the map of the home page needs some. So could attributes."""
    for page in book.every_page():
        opened: list[tuple[str, int]] = []
        for line in page.lines:
            for tag in line.html:
                if found := re.match(r"<(div|p)\b", tag):
                    opened.append((found[1], line.number))
                elif found := re.match(r"</(div|p)\b", tag):
                    if not opened or opened.pop()[0] != found[1]:
                        yield Problem(page.path, line.number, f"{tag} closes nothing: remove it, or open one")
                known = re.fullmatch(r'</(?:div|p)>|<(?:div|p)(?: class="[\w -]+")?(?: markdown)?>', tag)
                if tag.startswith("<!--"):
                    yield Problem(page.path, line.number, "no reader sees a comment: say it, or remove it")
                elif not known or page.name != "index.md":
                    yield Problem(page.path, line.number, f"{tag} does not belong on a page: use Markdown")
            for braces in re.findall(r"\{[^{}]*\}?", line.markup):
                if not re.fullmatch(r"\{\s*(?:[.#][\w-]+\s*)+\}", braces):
                    yield Problem(
                        page.path, line.number, f"{braces} is no id and no class: nothing else stands in braces"
                    )
            for _, address in line.images:
                if re.match(r"(?:[a-z]+:)?//|[a-z]+:", address):
                    yield Problem(
                        page.path, line.number, f"the image would be loaded from {address}: keep it in the book"
                    )
        for name, number in opened:
            yield Problem(page.path, number, f"<{name}> is never closed: add </{name}>")


#: Marks that Markdown takes out of a text, and what to do where it does not.
LEFT = (
    (re.compile(r"\]\s+\("), "put no space between the ] and ( of a link"),
    (re.compile(r"\[\s*\]"), "this link has no text: say where it leads"),
    (re.compile(r"`"), "this ` has no second one: close the code in the same line, or write \\`"),
    (re.compile(r"\*"), "this * has no second one: close it in the same paragraph, without a space inside"),
    (re.compile(r"\$"), "this $ has no second one: a formula has no spaces beside its two $, and a price is \\$"),
    (re.compile(r"(?<!\w)_(?=\S)[^_]*_"), "write *…*: Markdown takes _…_ for emphasis only between spaces"),
)


def leftovers(book: Book) -> Iterator[Problem]:
    """No mark-up is left in the text, because its other half is missing or a space too many."""
    for page in book.every_page():
        for paragraph in paragraphs(page):
            text = "\n".join(line.shown for line in paragraph)
            text = re.sub(r"^\s*[*+-]\s", " ", text, flags=re.M)
            for marks in (r"\*\*", r"\*"):
                text = re.sub(rf"{marks}(?=\S)((?:[^*]|(?<!\*)\*(?!\*))*?\S){marks}", r"\1", text)
            for form, message in LEFT:
                if found := form.search(text):
                    line = paragraph[text.count("\n", 0, found.start())]
                    yield Problem(page.path, line.number, message)
                    break
            for line in paragraph:
                if re.search(r"\[\s*\]\(", line.filled):
                    yield Problem(page.path, line.number, "this link has no text: say where it leads")


# ---- words


def plain_words(book: Book) -> Iterator[Problem]:
    """The words are those of the field: ``docs/wording.yml`` says which ones the book does not use."""
    path = book.root / "docs" / "wording.yml"
    words = private_words(path) if path.is_file() else {}
    english = ((page.path, line.number, line.prose) for page in book.pages["en"].values() for line in page.lines)
    for language, texts in (("ko", _korean(book)), ("en", itertools.chain(english, _asked(book, "en")))):
        for where, number, text in texts:
            for word in refused(text, language, words.get(language, [])):
                yield Problem(where, number, f"{word.word}: the book says {word.say} (docs/wording.yml)")


def wording(book: Book) -> Iterator[Problem]:
    """One Korean word for one thing: the glossary says which wordings not to use."""
    avoided = {word: term for term in _terms(book) for word in term.avoid}
    words = "|".join(re.escape(word) for word in sorted(avoided, key=len, reverse=True))
    if not words:
        return
    form = re.compile(rf"(?<![가-힣])(?:{words})")
    for path, number, text in _korean(book):
        for word in form.findall(QUOTED.sub(" ", text)):
            yield Problem(path, number, f"{word}: the book says {avoided[word].ko} (docs/glossary.yml)")


def _korean(book: Book) -> Iterator[tuple[Path, int, str]]:
    """Every Korean text that a reader sees: pages, labels of figures, what exercises say, the glossary."""
    for page in book.pages["ko"].values():
        yield page.path, 1, f"{page.meta.get('title')} {page.meta.get('description')}"
        for line in page.lines:
            yield page.path, line.number, " ".join([line.prose, *(alt for alt, _ in line.images)])
        for number, tex in _words_in_formulas(page):
            yield page.path, number, tex
    for path in [*book.figures(), *touch.scripts(book.root), *book.root.glob("exercises/korean.py")]:
        for number, line in enumerate(lines_of(read(path)), start=1):
            if not line.isascii():
                yield path, number, line
    for term in _terms(book):
        yield book.root / "docs" / "glossary.yml", term.line, term.mean_ko
    yield from _asked(book, "ko")


def _asked(book: Book, language: str) -> Iterator[tuple[Path, int, str]]:
    """Every text of the questions in a language."""
    for path in questions.files(book.root / "docs" / "questions"):
        for _, found in questions.load(path)[0].values():
            yield from ((path, line.number, line.prose) for one in found for line in one.lines(language))


#: Words in a formula: neither an index, d_\text{model}, nor the name of a function, \text{dropout}(x).
_WORDS = re.compile(r"(?<![_^])(?<![_^]\{)\\text\{([^{}]*)\}(?!\s*(?:\\left|\\bigl|\\!)*\()")


def _words_in_formulas(page: Page) -> Iterator[tuple[int, str]]:
    r"""What stands in \text{}, with its line."""
    for line in page.lines:
        yield from ((line.number, text) for text in _WORDS.findall(line.without_code))
    for began, tex in page.formulas:
        for number, line in enumerate(tex.split("\n"), start=began + 1):
            yield from ((number, text) for text in _WORDS.findall(line))


def meanings(book: Book) -> Iterator[Problem]:
    """What the glossary says goes into a table and into tooltips."""
    path, seen = book.root / "docs" / "glossary.yml", {}
    for term in _terms(book):
        for value in (term.ko, term.en, term.mean_ko, term.mean_en, *term.forms, *term.names):
            if found := re.search(r'[<>"|`*$\\{}]|\]\s*[(\[]|&#?\w+;', value):
                yield Problem(
                    path, term.line, f"{term.id} holds {found[0]}, which breaks tables or HTML: say it without"
                )
        if term.id in seen:
            yield Problem(path, term.line, f"the id {term.id} already stands in line {seen[term.id]}: choose another")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", term.id):
            yield Problem(
                path, term.line, f"the id {term.id} becomes an address: use small letters, digits and hyphens"
            )
        seen[term.id] = term.line
    yield from _leading_nowhere(book, path)


def _leading_nowhere(book: Book, path: Path) -> Iterator[Problem]:
    """Where the entries of the glossary lead, other entries and pages, has to be there; and a name is one of one."""
    terms, named = _terms(book), {}
    sections = {
        name.removesuffix(".md"): {id for _, id, *_ in page.headings()} for name, page in book.pages["en"].items()
    }
    for term in terms:
        for other in term.see:
            if other == term.id or other not in {one.id for one in terms}:
                yield Problem(path, term.line, f"{term.id} leads to {other}, and there is no such other entry")
        page, _, section = term.page.partition("#")
        if page and (page not in sections or (section and section not in sections[page])):
            yield Problem(path, term.line, f"{term.id} is explained at {term.page}, and there is no such heading")
        for name in {name.casefold() for name in (term.ko, term.en, *term.names)}:
            if name in named:
                message = f"{name} names {named[name]} and {term.id}: leave it to one, and let the other see it"
                yield Problem(path, term.line, message)
            named[name] = term.id


def first_uses(book: Book) -> Iterator[Problem]:
    """In reading order, a Korean term comes first with its English: 쿼리(query)."""
    lines = [
        (page, line)
        for name in book.nav
        if (page := book.pages["ko"].get(name))
        and not name.endswith(NO_FIRST_USE[0])
        and not name.startswith(NO_FIRST_USE[1])
        for line in page.lines
        if line.place in ("text", "table")
    ]
    terms = _terms(book)
    pattern, found = glossary.pattern("ko", terms)
    introduced: set[str] = set()
    for page, line in lines:
        text = _without_links(line)
        for match in pattern.finditer(text):
            term = found[match[0]]
            if term.id in introduced:
                continue
            introduced.add(term.id)
            after = re.match(r"[*_]*\(([^)]*)\)", text[match.end() :])
            names = {name.casefold() for name in (term.en, term.en + "s", *term.forms, *term.names)}
            given = after[1].casefold().split(", ") if after else []
            if term.en.casefold() != term.ko.casefold() and names.isdisjoint(given):
                yield Problem(
                    page.path, line.number, f"{term.ko} is used here for the first time: write {term.ko}({term.en})"
                )


def _without_links(line: Line) -> str:
    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", " ", line.without_code)
    return re.sub(r"(?<![\\$])\$[^$]*\$", " ", text)


def _terms(book: Book) -> list[glossary.Term]:
    return glossary.terms(book.root / "docs" / "glossary.yml")


def languages(book: Book) -> Iterator[Problem]:
    """Korean pages are in Korean, and English pages in English, sentence by sentence."""
    for page in book.every_page():
        texts = [(1, str(page.meta.get(key) or ""), "text") for key in ("title", "description")]
        for line in page.lines:
            if not _is_source(line):
                texts += [(line.number, line.prose, line.place)]
                texts += [(line.number, alt, "text") for alt, _ in line.images]
        texts += [(number, text, "formula") for number, text in _words_in_formulas(page)]
        korean = " ".join(text for _, text, _ in texts if re.search("[가-힣]", text)).casefold()
        for number, text, place in texts:
            if "TODO" in text:
                continue  # still to be written, which another check says
            # words that are spoken of, and names of blocks: Add & Norm
            quoted = re.sub(r"\*[^*]*\*|[“‘\"][^”’\"]*[”’\"]|[A-Z]\w+ & [A-Z]\w+", " ", text)
            for sentence in re.split(r"(?<=[.!?:;])\s+|\|", quoted):
                if page.language == "ko" and _is_english(sentence, place, korean):
                    yield Problem(page.path, number, f"this is English: write it in Korean: {sentence.strip()[:60]}")
                    break
                if page.language == "en" and _hangul(sentence) > 3 * len("".join(_words(sentence))):
                    yield Problem(page.path, number, f"this is Korean: write it in English: {sentence.strip()[:60]}")
                    break


def _hangul(text: str) -> int:
    return len(re.findall("[가-힣]", text))


def _words(text: str) -> list[str]:
    return re.findall(r"(?<![\w.-])[A-Za-z][a-z]+(?![\w-]|\.\w)", text)


def _is_english(sentence: str, place: str, korean: str) -> bool:
    """Does this sentence of a Korean page, whose Korean text is ``korean``, belong on the English one?"""
    hangul, words = _hangul(sentence), _words(sentence)
    if place == "formula":
        return not hangul and bool(re.search(r"(?<![\w-])[a-z]{2,}(?![\w-])", sentence))
    if place in ("heading", "title", "caption") and not hangul:
        # a name, Adam or pre-LN, may stand alone where the Korean text uses it too
        return any(word.casefold() not in korean for word in re.findall(r"[A-Za-z-]{3,}", sentence))
    return len(words) > 1 and hangul < 0.2 * len("".join(words))


def _is_source(line: Line) -> bool:
    """Papers keep their titles in both languages."""
    return bool(re.match(r"- .*\]\(https?://|\[\^", line.text))


# ---- the two languages side by side


def keys(book: Book) -> Iterator[Problem]:
    """The keys of the search lead to pages and sections that are there."""
    path = book.root / "docs" / "keywords.yml"
    found = search.keywords(path)
    for pages in book.pages.values():
        ids = {name.removesuffix(".md"): {id for _, id, *_ in page.headings()} for name, page in pages.items()}
        if problems := search.missing(found, ids):
            yield from (Problem(path, line, message) for line, message in problems)
            return  # the other language would say the same


def questions_hold(book: Book) -> Iterator[Problem]:
    """Every question belongs to a page, and is complete, and the same in both languages."""
    names = {name.removesuffix(".md") for pages in book.pages.values() for name in pages}
    parts = {name.partition("/")[0] for name in names if "/" in name}
    asked = set()
    for path in questions.files(book.root / "docs" / "questions"):
        if path.stem not in parts:
            yield Problem(path, 1, f"there is no part {path.stem}{near(path.stem, parts)}; name the file after a part")
            continue
        found, wrong = questions.load(path)
        here = {f"{path.stem}/{page}": asked_there for page, asked_there in found.items()}
        for name in here.keys() - names:
            message = f"there is no page {name}{near(name, names)}; correct it, or remove these"
            yield Problem(path, here[name][0], message)
        yield from (Problem(path, line, message) for line, message in wrong)
        asked |= {f"{name}.md" for name in here}
        if not wrong and here.keys() <= names:
            pages = {name for name in names if name.startswith(f"{path.stem}/")}
            for name in sorted(pages - {f"{path.stem}/index"} - questions.WITHOUT):
                line, these = here.get(name, (1, []))
                if not questions.FEWEST <= len(these) <= questions.MOST:
                    message = f"{name} has {len(these)}, and a page {questions.FEWEST} to {questions.MOST}"
                    yield Problem(path, line, f"questions still to be written: {message}")
    for page in book.every_page():
        for _, id, _, line in page.headings():
            if page.name in asked and (id == questions.ID or id.startswith("question-")):
                yield Problem(page.path, line, f"the id {id} is for the questions of the page: choose another")


def same_structure(book: Book) -> Iterator[Problem]:
    """Headings, formulas, includes, figures, tables, blocks and footnotes: the same, in the same order."""
    for korean, english in book.pairs():
        for one, two in itertools.zip_longest(korean.items, english.items):
            if one and two and (one.kind, one.value) == (two.kind, two.value):
                continue
            here, there = (f"{item.kind} {item.value}" if item else "nothing more" for item in (one, two))
            last = one or two
            yield Problem(
                korean.path,
                one.line if one else len(korean.path.read_text(encoding="utf-8").splitlines()),
                f"here stands {here}, but in docs/en/{english.name}:{two.line if two else 'end'} {there}: "
                f"both languages have every {last.kind} in the same order",
            )
            break


def same_details(book: Book) -> Iterator[Problem]:
    """Section by section, the same formulas, links, footnotes, code and decimals, in any order, and as many items."""
    for korean, english in book.pairs():
        for (name, line, ours), (_, other, theirs) in zip(korean.sections(), english.sections(), strict=False):
            for kind, details in DETAILS.items():
                one, two = (details(lines if kind == "mark" else _typed(lines)) for lines in (ours, theirs))
                for value in sorted(one - two):
                    yield Problem(
                        korean.path,
                        _where(ours, details, value, line),
                        f"section {name} has the {kind} {value}, which docs/en/{english.name}:{other} lacks: "
                        "add it there or remove it here",
                    )
                for value in sorted(two - one):
                    yield Problem(
                        english.path,
                        _where(theirs, details, value, other),
                        f"section {name} has the {kind} {value}, which docs/ko/{korean.name}:{line} lacks: "
                        "add it there or remove it here",
                    )
            one, two = (sum(part.is_bullet for part in lines) for lines in (ours, theirs))
            if one != two:
                yield Problem(
                    korean.path,
                    line,
                    f"section {name} has {one} items in its lists, and docs/en/{english.name}:{other} has {two}: "
                    "both languages have the same",
                )
            for row, counterpart in zip(_rows(ours), _rows(theirs), strict=False):
                row, counterpart = _typed([row, counterpart])  # noqa: PLW2901
                if _numbers(row) != _numbers(counterpart):
                    here, there = (", ".join(_numbers(part)) or "no number" for part in (row, counterpart))
                    yield Problem(
                        korean.path,
                        row.number,
                        f"this row has {here}, and docs/en/{english.name}:{counterpart.number} has {there}: "
                        "both languages have the same rows in the same order",
                    )


def _typed(lines: list[Line]) -> list[Line]:
    """Without their values: those are compared by name, and may be others in each language."""
    return [line.compared for line in lines]


def _where(lines: list[Line], details: Callable[[list[Line]], set[str]], value: str, heading: int) -> int:
    """The line of a section that has this detail."""
    return next((line.number for line in lines if value in details([line])), heading)


def _formulas(lines: list[Line]) -> set[str]:
    return {formula for line in lines for formula in line.formulas}


def _internal(lines: list[Line]) -> set[str]:
    return {address for line in lines for _, address in line.links if not re.match(r"[a-z]+:", address)}


def _external(lines: list[Line]) -> set[str]:
    """Addresses, apart from the language that they name."""
    return {
        re.sub(r"\b(?:ko|en)\b", "ko|en", address)
        for line in lines
        for _, address in line.links
        if re.match(r"[a-z]+:", address)
    }


def _references(lines: list[Line]) -> set[str]:
    return {name for line in lines for name in line.references}


def _code(lines: list[Line]) -> set[str]:
    """Code without Hangul; `shape` is a word of Korean."""
    return {code for line in lines for code in line.code if code != "shape" and not re.search("[가-힣]", code)}


def _decimals(lines: list[Line]) -> set[str]:
    """Decimals, and sections of papers: 0.0002, 3.2.3."""
    return {number for line in lines for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)+", line.prose)}


DETAILS = {
    "formula": _formulas,
    "link": _internal,
    "external link": _external,
    "footnote": _references,
    "code": _code,
    "number": _decimals,
    "mark": numbers.marks_of,
}


def _rows(lines: list[Line]) -> list[Line]:
    return [line for line in lines if line.place == "table"]


#: 6500만 is 65 million.
UNITS = {"만": 10**4, "억": 10**8, "thousand": 10**3, "million": 10**6, "billion": 10**9}


def _numbers(row: Line) -> list[str]:
    """What a row has in both languages: numbers, formulas, code and addresses."""
    numbers = []
    for digits, unit in re.findall(rf"(\d[\d,]*(?:\.\d+)*) ?({'|'.join(UNITS)})?", row.prose):
        plain = digits.replace(",", "")
        numbers.append(f"{float(plain) * UNITS.get(unit, 1):g}" if plain.count(".") < 2 else plain)
    return [*sorted(numbers), *sorted(_formulas([row]) | _internal([row]) | _code([row]))]


def links(book: Book) -> Iterator[Problem]:
    """Internal links lead to pages and headings that exist, by relative path."""
    entries = {f"term-{term.id}" for term in _terms(book)}
    downloads = {f"assets/onefile/{path.name}" for path in book.files()}  # book/hooks.py puts them there
    for page in book.every_page():
        for line in page.lines:
            for _, address in line.links:
                if re.match(r"[A-Za-z][\w+.-]*:", address):
                    if not address.startswith("https://"):
                        scheme = address.partition(":")[0]
                        yield Problem(
                            page.path, line.number, f"{scheme}: links lead to pages by https, or into the book"
                        )
                    continue
                target, _, anchor = address.partition("#")
                path = (page.path.parent / target).resolve() if target else page.path.resolve()
                tree = (book.root / "docs" / page.language).resolve()
                name = path.relative_to(tree).as_posix() if path.is_relative_to(tree) else None
                other = book.pages[page.language].get(name)
                if address.startswith("/"):
                    message = f"the link {address} is absolute: write the way from this file, as ../part/page.md"
                    yield Problem(page.path, line.number, message)
                    continue
                if name in downloads:
                    continue
                if other is None:
                    here = posixpath.dirname(page.name) or "."
                    known = (posixpath.relpath(known, here) for known in book.pages[page.language])
                    instead = near(target, known) or ": correct it"
                    message = f"the link {address} leads to no page in docs/{page.language}{instead}"
                    yield Problem(page.path, line.number, message)
                    continue
                anchors = other.anchors()
                if any(text.text.strip() == glossary.MARKER for text in other.lines):
                    anchors |= entries
                if anchor.startswith(touch.STATE) and any(touch.MARK in text.text for text in other.lines):
                    continue  # the figure there opens with it
                if anchor and anchor not in anchors:
                    message = f"{address}: {name} has no anchor #{anchor}{_instead(anchor, anchors)}"
                    yield Problem(page.path, line.number, message)


def footnotes(book: Book) -> Iterator[Problem]:
    """Every reference has its footnote, and every footnote is referred to."""
    for page in book.every_page():
        notes: dict[str, int] = {}
        for item in page.items:
            if item.kind == "footnote":
                if item.value in notes:
                    message = f"the footnote {item.value} already stands in line {notes[item.value]}: rename one"
                    yield Problem(page.path, item.line, message)
                notes.setdefault(item.value, item.line)
        used = {name: line.number for line in reversed(page.lines) for name in line.references}
        for name in sorted(used.keys() - notes.keys()):
            yield Problem(page.path, used[name], f"there is no footnote {name}: add `[^{name}]: …`, or correct it")
        for name in sorted(notes.keys() - used.keys()):
            yield Problem(page.path, notes[name], f"nothing refers to the footnote {name}: put [^{name}] into the text")


FIRST = (encodings, settings, entries)
CHECKS = (
    characters,
    published,
    style_sheets,
    unread_forms,
    both_languages,
    front_matter,
    on_the_map,
    unwritten,
    headings,
    nothing_empty,
    parts_name_their_pages,
    typed_code,
    includes,
    markers,
    definitions,
    worked_examples,
    code_width,
    everything_is_shown,
    figures,
    touchable_figures,
    alternative_texts,
    labels,
    html,
    leftovers,
    plain_words,
    wording,
    meanings,
    first_uses,
    keys,
    questions_hold,
    languages,
    same_structure,
    same_details,
    links,
    footnotes,
    *numbers.CHECKS,
    *article.CHECKS,
    *alike.CHECKS,
    *comments.CHECKS,
    *counted.CHECKS,
    *editions.CHECKS,
    *forms.CHECKS,
    *hangul.CHECKS,
    *letters.CHECKS,
    *moved.CHECKS,
    *outline.CHECKS,
    *unused.CHECKS,
)


def unreadable(root: Path) -> list[Problem]:
    """What keeps the book at ``root`` from being read at all, with paths relative to it."""
    return [_relative(problem, root) for check in FIRST for problem in check(root)]


def check_pages(root: Path) -> list[Problem]:
    """All problems of the book at ``root``, with paths relative to it."""
    if problems := unreadable(root):
        return problems
    book = Book.read(root)
    return [_relative(problem, root) for check in CHECKS for problem in check(book)]


def _relative(problem: Problem, root: Path) -> Problem:
    return Problem(problem.path.relative_to(root), problem.line, problem.message)


def main() -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console that knows no Hangul
    problems = check_pages(ROOT)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "the book holds together")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
