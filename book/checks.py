"""What holds the book together: ``python -m book.checks`` says what is wrong, where, and what to do.

The build warns of each problem (so a strict build refuses it), and the tests run the same
checks. Each check is a function that takes the book and yields problems; ``CHECKS`` lists them.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from book import LANGUAGES, ROOT, glossary
from book.pages import INCLUDE, MARKER, OUTPUT, RAISES, Book, Line, Page, near, parse, sections

PYTHON = {"python", "py", "python2", "py2", "python3", "py3", "pycon", "python-console", "ipython", "ipython3"}
PYTHON |= {"pyi", "numpy", "sage", "doctest"}  # further names that the highlighter colours as Python

#: How much code fits beside the two sidebars (docs/assets/css/book.css), and in a solution, which is indented.
COLUMNS, COLUMNS_OF_SOLUTIONS = 84, 74

#: Pages without definitions of terms: a reader may come to them before, or long after, the rest.
NO_FIRST_USE = ("index.md", "appendix/")


@dataclass(frozen=True)
class Problem:
    """One complaint: where, and what is wrong and what to do about it."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.line}: {self.message}"


# ---- the pages as a whole


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
    for name in book.nav:
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
                seen[value] = page
            length = len(str(page.meta.get("description") or ""))
            low, high = limits[language]
            if length and not low <= length <= high:
                yield Problem(
                    page.path, 1, f"has a description of {length} characters: search engines show {low} to {high}"
                )


def unwritten(book: Book) -> Iterator[Problem]:
    """Nothing is left of what the scaffold of ``python -m book.page`` asks the author to write."""
    snippets = book.root / "snippets"
    for path in [
        *(page.path for page in book.every_page()),
        *sorted([*snippets.rglob("*.md"), *snippets.rglob("*.py")]),
    ]:
        text = path.read_text(encoding="utf-8").splitlines()
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


# ---- code


def typed_code(book: Book) -> Iterator[Problem]:
    """No Python is typed into a page; a Python fence holds includes only."""
    for page in book.every_page():
        for fence in page.fences:
            if not fence.language:
                yield Problem(page.path, fence.line, "say what this fence holds: ```text, or ```sh for commands")
            if fence.language not in PYTHON:
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
                instead = near(section, known[name]) or f": it has {', '.join(known[name]) or 'none'}"
                yield Problem(page.path, line, f"snippets/{name} has no section {section!r}{instead}")
            elif source:
                continue
            elif name.endswith(".py") and fence is None:
                yield Problem(page.path, line, f"{target} is a definition: put the include into a ```python fence")
            elif name.endswith(".md") and fence is not None:
                yield Problem(
                    page.path, line, f"{target} is a worked example with fences of its own: take it out of this one"
                )


def markers(book: Book) -> Iterator[Problem]:
    """In snippets, every section has a start and an end, and a name of its own."""
    for path in [*book.snippets(), *book.tools()]:
        open_at: tuple[str, int] | None = None
        seen: dict[str, int] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not (found := MARKER.search(line)):
                continue
            kind, name = found.groups()
            if kind == "start":
                if open_at:
                    yield Problem(path, number, f"section {name} starts inside {open_at[0]}: end that one first")
                if name in seen:
                    yield Problem(path, number, f"section {name} already starts in line {seen[name]}: rename one")
                if path.suffix == ".md" and not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
                    yield Problem(path, number, f"section {name}: say what it computes, in words joined by hyphens")
                seen[name] = number
                open_at = (name, number)
            elif open_at is None or open_at[0] != name:
                yield Problem(path, number, f"section {name} ends here and did not start: add the start, or rename")
                open_at = None
            else:
                open_at = None
        if open_at:
            yield Problem(path, open_at[1], f"section {open_at[0]} never ends: add `--8<-- [end:{open_at[0]}]`")


def worked_examples(book: Book) -> Iterator[Problem]:
    """In snippets/*.md, whatever looks like a test is one: pytest-codeblocks passes over the rest."""
    for path in book.snippets():
        if path.suffix != ".md":
            continue
        text = path.read_text(encoding="utf-8").splitlines()
        file = parse(path, "en", path.name)
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
        inside, fence_open = False, False
        for number, line in enumerate(text, start=1):
            if line.startswith("```"):
                fence_open = not fence_open
            if found := MARKER.search(line):
                inside = found[1] == "start"
            elif line.strip() == RAISES and inside and path.parent.name != "labs":
                if next((below for below in text[number:] if below.strip()), "") != "```python":
                    yield Problem(path, number, "this marker belongs right above the ```python fence that raises")
            elif re.match(r"<!--[-\s]*pytest", line) and line.strip() != OUTPUT:
                yield Problem(path, number, "every example is run as it stands: remove this marker")
            elif not inside and line.strip() and not line.startswith("# "):
                yield Problem(path, number, "this stands in no section, so no page can show it: move it into one")
            elif inside and not fence_open and line.strip() and not line.startswith(("```", "<!--pytest-codeblocks:")):
                yield Problem(path, number, "prose belongs on the pages, in both languages: move it there")


def code_width(book: Book) -> Iterator[Problem]:
    """Code that is shown fits the page: nobody reads what has to be scrolled."""
    for path in [*book.snippets(), *book.tools()]:
        if not sections(path):
            continue  # nothing of it is shown
        most = COLUMNS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if found := MARKER.search(line):
                most = COLUMNS_OF_SOLUTIONS if found[2].startswith("exercise-") else COLUMNS
            elif len(line) > most:
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
                if f"{book.address(path)}:{section}" not in shown:
                    yield Problem(
                        path, line, f'no page in docs/{language} shows this: include "{book.address(path)}:{section}"'
                    )
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
        source = page.path.read_text(encoding="utf-8").splitlines()
        for name, _, _, line in _figures(page):
            if name not in known:
                yield Problem(page.path, line, f"there is no snippets/figures/{name}.py{near(name, known)}")
            below = next((text for text in source[line:] if text.strip()), "")
            if not re.match(r"/{3,}\s*figure-caption", below):
                yield Problem(
                    page.path, line, f"figure {name} needs a caption: add `/// figure-caption` … `///` below it"
                )


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


def other_hosts(book: Book) -> Iterator[Problem]:
    """A page loads nothing from anywhere else, and holds no HTML that could."""
    for page in book.every_page():
        for line in page.lines:
            for _, address in line.images:
                if re.match(r"(?:[a-z]+:)?//", address):
                    yield Problem(
                        page.path, line.number, f"the image would be loaded from {address}: keep it in the book"
                    )
            for address in re.findall(r"(?:url\(|@import)\s*['\"]?((?:[a-z]+:)?//[^\s'\")]+)", line.markup):
                yield Problem(page.path, line.number, f"the style would be loaded from {address}: keep it in the book")
            for tag in re.findall(r"<\s*([a-zA-Z][\w-]*)", line.markup):
                if tag.lower() not in {"div", "p", "span", "br"}:
                    yield Problem(page.path, line.number, f"<{tag}> does not belong on a page: use Markdown")


# ---- words


def wording(book: Book) -> Iterator[Problem]:
    """One Korean word for one thing: the glossary says which wordings not to use."""
    refused = {word: term for term in _terms(book) for word in term.avoid}
    for page in book.pages["ko"].values():
        texts = [(1, f"{page.meta.get('title')} {page.meta.get('description')}")]
        texts += [(line.number, " ".join([line.prose, *(alt for alt, _ in line.images)])) for line in page.lines]
        for number, text in texts:
            text = re.sub(r"“[^”]*”", " ", text)
            for word, term in refused.items():
                if re.search(rf"(?<![가-힣]){re.escape(word)}", text):
                    yield Problem(page.path, number, f"{word}: the book says {term.ko} (docs/glossary.yml)")


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
            names = {name.casefold() for name in (term.en, term.en + "s", *term.forms)}
            if term.en.casefold() != term.ko.casefold() and not (after and after[1].casefold() in names):
                yield Problem(
                    page.path, line.number, f"{term.ko} is used here for the first time: write {term.ko}({term.en})"
                )


def _without_links(line: Line) -> str:
    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", " ", line.without_code)
    return re.sub(r"(?<![\\$])\$[^$]*\$", " ", text)


def _terms(book: Book) -> list[glossary.Term]:
    return glossary.load(book.root / "docs" / "glossary.yml")


def languages(book: Book) -> Iterator[Problem]:
    """Korean pages are in Korean, and English pages in English."""
    for page in book.every_page():
        text = "".join(line.prose for line in page.lines if line.place != "table" and not _is_source(line))
        hangul, latin = len(re.findall("[가-힣]", text)), len(re.findall("[A-Za-z]", text))
        share = hangul / max(hangul + latin, 1)
        if page.language == "ko" and share < 0.55:
            yield Problem(page.path, 1, f"only {share:.0%} of the letters are Hangul: write the page in Korean")
        if page.language == "en" and share > 0.05:
            yield Problem(page.path, 1, f"{share:.0%} of the letters are Hangul: write the page in English")


def _is_source(line: Line) -> bool:
    """Papers keep their titles in both languages."""
    return bool(re.match(r"- .*\]\(https?://|\[\^", line.text))


# ---- the two languages side by side


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
    """Section by section, the same inline formulas, internal links and footnotes, in any order."""
    for korean, english in book.pairs():
        for (name, line, ours), (_, other, theirs) in zip(korean.sections(), english.sections(), strict=False):
            for kind, details in (("formula", _formulas), ("link", _internal), ("footnote", _references)):
                one, two = details(ours), details(theirs)
                for value in sorted(one - two):
                    yield Problem(
                        korean.path,
                        line,
                        f"section {name} has the {kind} {value}, which docs/en/{english.name}:{other} lacks: "
                        "add it there or remove it here",
                    )
                for value in sorted(two - one):
                    yield Problem(
                        english.path,
                        other,
                        f"section {name} has the {kind} {value}, which docs/ko/{korean.name}:{line} lacks: "
                        "add it there or remove it here",
                    )


def _formulas(lines: list[Line]) -> set[str]:
    return {formula for line in lines for formula in line.formulas}


def _internal(lines: list[Line]) -> set[str]:
    return {address for line in lines for _, address in line.links if not re.match(r"[a-z]+:", address)}


def _references(lines: list[Line]) -> set[str]:
    return {name for line in lines for name in line.references}


def links(book: Book) -> Iterator[Problem]:
    """Internal links lead to pages and headings that exist, by relative path."""
    entries = {f"term-{term.id}" for term in _terms(book)}
    for page in book.every_page():
        for line in page.lines:
            for _, address in line.links:
                if re.match(r"[a-z]+:", address):
                    continue
                target, _, anchor = address.partition("#")
                path = (page.path.parent / target).resolve() if target else page.path.resolve()
                tree = (book.root / "docs" / page.language).resolve()
                name = path.relative_to(tree).as_posix() if path.is_relative_to(tree) else None
                other = book.pages[page.language].get(name)
                if other is None:
                    yield Problem(
                        page.path,
                        line.number,
                        f"the link {address} leads to no page in docs/{page.language}: correct it",
                    )
                    continue
                anchors = other.anchors()
                if any(text.text == glossary.MARKER for text in other.lines):
                    anchors |= entries
                if anchor and anchor not in anchors:
                    instead = near(anchor, anchors) or f": it has {', '.join(sorted(anchors))}"
                    yield Problem(page.path, line.number, f"{address}: {name} has no anchor #{anchor}{instead}")


def footnotes(book: Book) -> Iterator[Problem]:
    """Every reference has its footnote, and every footnote is referred to."""
    for page in book.every_page():
        notes = {item.value: item.line for item in page.items if item.kind == "footnote"}
        used = {name: line.number for line in reversed(page.lines) for name in line.references}
        for name in sorted(used.keys() - notes.keys()):
            yield Problem(page.path, used[name], f"there is no footnote {name}: add `[^{name}]: …`, or correct it")
        for name in sorted(notes.keys() - used.keys()):
            yield Problem(page.path, notes[name], f"nothing refers to the footnote {name}: put [^{name}] into the text")


CHECKS = (
    unread_forms,
    both_languages,
    front_matter,
    unwritten,
    headings,
    typed_code,
    includes,
    markers,
    worked_examples,
    code_width,
    everything_is_shown,
    figures,
    alternative_texts,
    other_hosts,
    wording,
    first_uses,
    languages,
    same_structure,
    same_details,
    links,
    footnotes,
)


def check_pages(root: Path) -> list[Problem]:
    """All problems of the book at ``root``, with paths relative to it."""
    book = Book.read(root)
    return [
        Problem(problem.path.relative_to(root), problem.line, problem.message)
        for check in CHECKS
        for problem in check(book)
    ]


def main() -> int:
    problems = check_pages(ROOT)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else "the book holds together")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
