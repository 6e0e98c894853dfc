"""The form of a page: a question and its answer first, an ending last, fifteen minutes and little code between."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from book.problems import Problem
from book.source import minutes
from book.source.kinds import is_lab, is_taught
from book.source.page import Page, paragraphs
from book.source.pages import Book
from book.source.prose import Line

#: Titles of the blocks and of the section that every page has.
TITLES = {
    "short": {"ko": "한마디로", "en": "In short"},
    "remember": {"ko": "기억할 것", "en": "Remember"},
}
WORK = "at-work"
WORK_TITLE = {"ko": "실무에서는", "en": "At work"}
#: Words above the answer: it stands on the first screen.
ABOVE = {"ko": 100, "en": 150}
#: Lines in what a page wants to be remembered, and sentences below a figure.
REMEMBERED, CAPTION = 3, 3
#: Minutes of a page, and of one that says why.
LONGEST, LONGEST_PROOF = 15, 20
#: Lines of a listing, and the share of code in what a page shows.
LISTING, CODE = 25, 1 / 3
#: The one that is longer: half of a class cannot be pasted, and this class is the whole model.
LONGER = {"model/transformer.md": 45}
#: What is about files, caches and processes, and not about the subject of a page.
PLUMBING = re.compile(
    r"\bimport (?:.*, )?kept\b|(?<!\w)kept\(|\bcached\(|@cached\b|\blook\(|\bin_parallel\b|\btrain\.each\b"
)


def _first_heading(page: Page) -> float:
    """The line of the first section."""
    return next((line for level, _, _, line in page.headings() if level > 1), float("inf"))


def _blocks(page: Page, kind: str) -> list[tuple[int, int]]:
    """First and last line of each block of a kind; none stands in another of its kind."""
    starts = [item.line for item in page.items if item.kind == "block" and item.value.split()[1] == kind]
    ends = [item.line for item in page.items if item.kind == "end of block" and item.value.split()[1] == kind]
    return list(zip(starts, ends, strict=False))


def _within(page: Page, began: float, end: float) -> list[Line]:
    """The lines between two others."""
    return [line for line in page.lines if began < line.number < end]


def _titled(page: Page, kind: str, line: int) -> Iterator[Problem]:
    title, wanted = next(one.text for one in page.lines if one.number == line), TITLES[kind][page.language]
    if title != wanted:
        yield Problem(page.path, line, f"this block is called {title}: write /// {kind} | {wanted}")


def opening(page: Page) -> Iterator[Problem]:
    """A page begins with a question, and has its answer on the first screen."""
    title = next((line for _, _, _, line in page.headings()), 1)  # a page without is said elsewhere
    end = _first_heading(page)
    top = _within(page, title, end)
    short = _blocks(page, "short")
    first = next((one for one in paragraphs(page) if one[0].number > title), [])
    if not first or first[0].place != "text" or not any("?" in line.shown for line in first):
        at = first[0].number if first else title
        message = "the first paragraph asks nothing: begin with the question of the page, in one to three sentences"
        yield Problem(page.path, at, message)
    for line, _ in _blocks(page, "goals"):
        message = "goals are replaced by the answer: write /// short | "
        yield Problem(page.path, line, f"{message}{TITLES['short'][page.language]}, two or three sentences")
    if len(short) != 1 or short[0][0] > end:
        wanted = f"/// short | {TITLES['short'][page.language]}"
        message = f"the answer stands once, before the first section: write {wanted} below the question"
        yield Problem(page.path, short[-1][0] if short else title, message)
        return
    yield from _titled(page, "short", short[0][0])
    above = sum(minutes.words(line.shown) for line in top if line.number < short[0][0] and line.place == "text")
    if above > ABOVE[page.language]:
        message = f"{above} words stand above the answer, which is to stand on the first screen: at most "
        yield Problem(page.path, short[0][0], f"{message}{ABOVE[page.language]}; move the others below it")


def ending(page: Page) -> Iterator[Problem]:
    """A page ends with what one does at work, with what to remember, and with the step to the next page."""
    if is_lab(page.name):
        return
    sections = [(name, text, line) for level, name, text, line in page.headings() if level == 2]
    names = [name for name, _, _ in sections]
    last = max(item.line for item in page.items)
    if WORK not in names:
        wanted = f"## {WORK_TITLE[page.language]} {{#{WORK}}}"
        message = f"has no ending: write {wanted} before questions, exercises and sources, and at its end "
        yield Problem(page.path, last, f"{message}/// remember | {TITLES['remember'][page.language]}")
        return
    place = names.index(WORK)
    _, title, line = sections[place]
    if title != WORK_TITLE[page.language]:
        yield Problem(page.path, line, f"this section is called {title}: write {WORK_TITLE[page.language]}")
    following = sections[place + 1] if sections[place + 1 :] else ("", "", float("inf"))
    if following[0] not in ("", *minutes.DONE):
        message = f"{following[1]} stands after the ending: only questions, exercises and sources do; move it up"
        yield Problem(page.path, int(following[2]), message)
    remember = _blocks(page, "remember")
    if len(remember) != 1 or not line < remember[0][0] < following[2]:
        wanted = f"/// remember | {TITLES['remember'][page.language]}"
        message = f"what to remember stands once, at the end of this section: write {wanted}, with three lines"
        yield Problem(page.path, line, message)
        return
    began, end = remember[0]
    yield from _titled(page, "remember", began)
    bullets = sum(one.is_bullet for one in _within(page, began, end))
    if bullets != REMEMBERED:
        yield Problem(page.path, began, f"has {bullets} lines to remember: write {REMEMBERED}, each begins with -")
    if not any(map(_leads_on, _within(page, end, following[2]))):
        message = "nothing leads on from here: write below this block, in a sentence with a link, why one reads on"
        yield Problem(page.path, end, message)


def _leads_on(line: Line) -> bool:
    return any(not re.match(r"[a-z]+:|#", address) for _, address in line.links)


def duration(page: Page, length: minutes.Length) -> Iterator[Problem]:
    """A page is read in a quarter of an hour, and one with a proof in twenty minutes."""
    kinds = {item.value.split()[1] for item in page.items if item.kind == "block"}
    most = LONGEST_PROOF if kinds & {"proof", "theorem"} else LONGEST
    if length.minutes > most and not is_lab(page.name):
        code = sum(listing.share * len(listing.code) for listing in length.listings)
        message = f"takes {length.minutes:.1f} minutes to read ({length.words:.0f} words, {code:.0f} lines of code), "
        message += f"and a page at most {most}: split it into pages with a question of their own, or cut"
        yield Problem(page.path, 1, message)


def code(page: Page, length: minutes.Length) -> Iterator[Problem]:
    """Code teaches: a listing can be seen as a whole, most of a page is prose, and no plumbing shows."""
    if is_lab(page.name):
        return
    for listing in length.visible:
        if len(listing.code) > (most := LONGER.get(page.name, LISTING)):
            message = f"this listing has {len(listing.code)} lines that can be seen, and one has at most {most}: "
            yield Problem(page.path, listing.line, f"{message}show those that teach, fold the rest (listing)")
        if found := next(filter(None, map(PLUMBING.search, listing.code)), None):
            message = f"`{found[0]}` is plumbing, and stands on the page: load what was kept with one call, "
            yield Problem(page.path, listing.line, f"{message}or leave this to a module")
    if length.code > CODE:
        message = f"{length.code:.0%} of what can be seen is code, and of a page at most a third: "
        yield Problem(page.path, 1, f"{message}cut it to what the text explains, or fold it (listing)")


def captions(page: Page) -> Iterator[Problem]:
    """What stands below a figure is read at a glance."""
    for began, end in _blocks(page, "figure-caption"):
        text = " ".join(line.shown for line in _within(page, began, end))
        sentences = len(re.findall(r"[.?!][”)]?(?=\s|$)", text))
        if sentences > CAPTION:
            message = f"this caption has {sentences} sentences, and one has at most {CAPTION}: say the rest in the text"
            yield Problem(page.path, began, message)


def wanting(book: Book, page: Page) -> list[Problem]:
    """What keeps a page from having the form of the book."""
    length = minutes.length(page, book.snippets_folder)
    rules = (opening(page), ending(page), duration(page, length), code(page, length), captions(page))
    return list(itertools.chain(*rules))


def forms_of_pages(book: Book) -> Iterator[Problem]:
    """Every page has the form of the book."""
    for page in book.every_page():
        if is_taught(page.name):
            yield from wanting(book, page)


CHECKS = (forms_of_pages,)
