"""The exercises in ``exercises/``, as the site shows them: a table on their page, and notebooks with the blanks.

On other pages, code that an exercise asks for says so: who builds along can have it folded
(docs/assets/js/book/switches.js).

To read them loads torch, which a build does without: ``python -m book exercises`` does so in a process of its own
when their code has changed, and keeps what the site shows of them.
"""

from __future__ import annotations

import functools
import hashlib
import html
import json
import re
import sys
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from mkdocs.utils.meta import get_data

from book import LANGUAGES, ROOT, files, strings
from book.artifacts import cells, store
from book.problems import BookError
from book.processes import end_with_parent, run
from book.source import editions
from book.source.prose import EXERCISES as MARKER
from book.source.prose import FILES

PAGE = "training/build-it-yourself"
NAME = "build-it-yourself"
#: The exercises themselves, and what the site shows of them. A book may have none.
FOLDER, KEPT = ROOT / "exercises", ROOT / ".cache" / "exercises.json"
#: What the modules that are to be written import, besides Jupyter's own.
NEEDED = ("filelock", "numpy", "safetensors", "tokenizers", "torch", "tqdm")
WORDS = strings.each("exercises")


#: A listing on a page, and what it includes.
LISTING = re.compile(r"^```python\n((?:(?!```).*\n)+)```$", re.M)
_INCLUDED = re.compile(r'^--8<-- "([\w/]+)\.py:([\w-]+)"$', re.M)


class ExercisesError(BookError):
    """The exercises cannot be read."""


def _state() -> str:
    """Of the code that the site shows them from; a blank keeps docstrings and comments, so they count here."""
    files = [*FOLDER.glob("*.py"), *FOLDER.glob("*/stages.py"), *(ROOT / "snippets").glob("*/*.py")]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(files))).hexdigest()


def kept() -> list[dict]:
    """What the site shows of each exercise, as ``shown`` has found it."""
    try:
        return json.loads(KEPT.read_text(encoding="utf-8"))["exercises"]
    except (FileNotFoundError, json.JSONDecodeError):
        return []


def stale() -> bool:
    """Whether there are exercises, and what is kept of them was made from other code."""
    return FOLDER.is_dir() and not store.is_current("exercises", _state(), [KEPT])


def make_anew() -> None:
    """Keep what the site shows of the exercises, in a fresh process. Raises ``ExercisesError``."""
    if run("book.artifacts.exercises", cwd=ROOT):
        raise ExercisesError("could not read the exercises (the reason stands above)")


def shown() -> list[dict]:
    """What the site shows of each exercise: the only place that loads torch."""
    from exercises.blanks import blank, to_write
    from exercises.capstone import NEEDS
    from exercises.checking import read_parts
    from exercises.language import speak

    found = []
    for one in read_parts().values():
        source = one.solution.read_text(encoding="utf-8")
        values = {name: getattr(one, name) for name in ("name", "page", "difficulty", "minutes")}
        names = dict.fromkeys(name.partition(".")[0] for name in to_write(source, one))
        stages = [stage.item for stage in one.stages]
        of_languages = {}
        for language in LANGUAGES:
            speak(language)
            of_languages[language] = blank(source, one)
        asked = [capstone for capstone, needs in NEEDS.items() if one.name in needs]
        found.append({**values, "stages": stages, "blank": of_languages, "check": list(names), "capstones": asked})
    speak(None)
    return found


def main() -> int:
    end_with_parent()
    state = _state()  # taken before the code is read: what is edited meanwhile will be read again
    files.write(KEPT, json.dumps({"exercises": shown()}))
    store.keep("exercises", state, [KEPT])
    return 0


def _title(page: str, language: str) -> str:
    text = (ROOT / "docs" / language / f"{page}.md").read_text(encoding="utf-8")
    return get_data(text)[1].get("title", page)


def table(language: str) -> list[str]:
    """All exercises as lines of a Markdown table, as their page has it."""
    words, found = WORDS[language], kept()
    lines = [f"| {' | '.join(words['head'])} |", "|---|---|---|"]

    def add_sum(name: str, summed: list[dict], part: str = "") -> None:
        stages, time = sum(len(exercise["stages"]) for exercise in summed), _time(summed, language)
        link = f'<span class="its-notebook"> · <a href="{file_name(part)}" download>{words["notebook"]}</a></span>'
        lines.append(f"| **{name}** | {time} | {words['stages'].format(stages)}{link} |")

    for part in parts():
        own = [exercise for exercise in found if exercise["name"].startswith(f"{part}/")]
        add_sum(f"`exercises/{part}`", own, part)
        for exercise in own:
            file = exercise["name"].partition("/")[2]
            title = f"[{_title(exercise['page'], language)}](../{exercise['page']}.md)<br>`{file}.py`"
            stages = ", ".join(f"`{stage}`" for stage in exercise["stages"])
            time = f"{words['difficulty'][exercise['difficulty']]}, {words['minutes'].format(exercise['minutes'])}"
            lines.append(f"| {title} | {time} | {stages} |")
    add_sum(words["all"], found)
    return lines


def _time(summed: list[dict], language: str) -> str:
    """How long these exercises take together."""
    minutes = sum(exercise["minutes"] for exercise in summed)
    return WORDS[language]["hours" if minutes >= 90 else "minutes"].format(minutes / (60 if minutes >= 90 else 1))


def routes(language: str) -> list[str]:
    """Three ways through the exercises, a line each, with the time that each takes.

    On a weekend, those of which the translator is made; in a month, the Transformer whole, and those of which the other
    capstones are made; and everything.
    """
    found, words = kept(), WORDS[language]["routes"]
    ours = parts()
    whole = [part for part in ours if part not in (ours[0], ours[-1])]
    weekend = [one for one in found if "translator" in one["capstones"]]
    month = [one for one in found if one["name"].partition("/")[0] in whole or one["capstones"]]

    values = {"first": f"`{whole[0]}`", "last": f"`{whole[-1]}`"}
    values |= {
        "names": _names(weekend),
        "others": _names([one for one in month if one["name"].partition("/")[0] not in whole]),
    }
    summed = {"weekend": weekend, "month": month, "all": found}
    return ["- " + words[name].format(time=_time(of, language), files=len(of), **values) for name, of in summed.items()]


def _names(of: list[dict]) -> str:
    return ", ".join(f"`{one['name'].partition('/')[2]}`" for one in of)


def files_of(capstone: str, language: str) -> str:
    """The files that a capstone asks for, and how long they take, as a paragraph."""
    of = [one for one in kept() if capstone in one["capstones"]]
    return WORDS[language]["files"].format(names=_names(of), files=len(of), time=_time(of, language))


def parts() -> list[str]:
    """The parts of the book that have exercises, in its order."""
    return list(dict.fromkeys(exercise["name"].partition("/")[0] for exercise in kept()))


def notebook(language: str, site_url: str = "", repository: str = "", part: str = "") -> nbformat.NotebookNode:
    """The first cell of every notebook of the book, then for each exercise its blank and its check.

    ``part``: that of one part of the book alone.
    """
    words, address = WORDS[language], site_url and urljoin(site_url, f"{PAGE}/")
    texts = {key: words[key] for key in ("comment", "error", "failed")}
    setup = cells.setup(language, repository, NEEDED, texts)
    cell, prose = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    found = [
        cell(setup),
        prose(words["intro"].format(title=_title(PAGE, language))),
        cell(f'import exercises\n\nexercises.speak("{language}")'),
    ]
    of = ""  # the part of the exercise before
    for exercise in kept():
        name, _, file = exercise["name"].partition("/")
        if part not in ("", name):
            continue
        if name != of:
            found.append(prose(f"## {_title(f'{name}/index', language)}"))
            of = name
        link = f"[{_title(exercise['page'], language)}](../{exercise['page']}.md)"
        time = f"{words['difficulty'][exercise['difficulty']]}, {words['minutes'].format(exercise['minutes'])}"
        found.append(prose(cells.jupyter_markdown(f"### {link}: `{file}` ({time})", address)))
        code = re.sub(r"(?m)\A\"\"\".*\n\n(?:#.*\n)+\n", "", exercise["blank"][language])
        checked = f"exercises.check({', '.join(exercise['check'])})"  # by the package: cells import another check
        found += [cell(code.strip()), cell(checked)]
    return cells.assembled(found)


def file_name(part: str = "") -> str:
    """Of the notebook of a part, or of all of them."""
    return f"{NAME}-{part}.ipynb" if part else f"{NAME}.ipynb"


def write_notebooks(site: Path, language: str, site_url: str, repository: str) -> None:
    """The notebooks to download, of all exercises and of each part, beside their page in the directory of a site."""
    for part in ("", *parts()):
        path = site / PAGE / file_name(part)  # no page of mkdocs-jupyter's: nothing in it is executed
        path.write_text(nbformat.writes(notebook(language, site_url, repository, part)) + "\n", encoding="utf-8")


def on_page(markdown: str, language: str) -> str:
    """The text of a page with what exercises add to it.

    Where it says ``<!-- exercises -->`` stands their table, and there ``<!-- exercises gpt -->`` is for the files of
    that capstone. A listing with a function that an exercise asks for has the class ``to-write`` and the file to write
    it in, and above the first one, or the table, is the switch to fold them. What stands in a block is left as it is:
    that is folded, or is an exercise.
    """
    words, switch = WORDS[language], 1  # to put in, once

    def marked(listing: re.Match) -> str:
        nonlocal switch
        names = [name for name, section in _INCLUDED.findall(listing[1]) if asked_for(name, section)]
        if not names or _open(markdown[: listing.start()]):
            return listing[0]
        before, switch = _switch(language) * switch, 0
        folded = html.escape(words["folded"].format(f"exercises/{names[0]}.py"), quote=True)
        return f'{before}```{{.python .to-write data-folded="{folded}"}}\n{listing[1]}```'

    if MARKER in markdown:
        markdown = FILES.sub(lambda mark: files_of(mark[1], language), markdown)
        shown = "\n".join([*routes(language), "", _switch(language), *table(language)])
        return "\n".join(shown if line.strip() == MARKER else line for line in markdown.split("\n"))
    return LISTING.sub(marked, markdown)


def _open(before: str) -> int:
    """How many blocks are open at the end of a text."""
    return sum(1 if name else -1 for name in re.findall(r"^///+ ?(.*)$", before, re.M))


def _switch(language: str) -> str:
    """Nothing of the text: the script of the page makes a switch of its words, and shows it."""
    return f'<p class="fold" hidden data-words="{html.escape(WORDS[language]["fold"], quote=True)}"></p>\n\n'


def asked_for(name: str, section: str) -> bool:
    """Whether a section of a module, ``PART/NAME``, has a function or class that an exercise asks for."""
    if not KEPT.is_file() or not (asked := _asked(KEPT.stat().st_mtime_ns).get(name)):
        return False
    part = editions.parts(ROOT / "snippets" / f"{name}.py")[section]
    return not asked.isdisjoint(re.findall(r"^(?:def|class) (\w+)", part.inner, re.M))


@functools.cache
def _asked(modified: int) -> dict[str, set[str]]:
    """By module, what its exercise asks for, as long as what is kept of the exercises is not written again."""
    return {one["name"]: set(one["check"]) for one in kept()}


if __name__ == "__main__":
    sys.exit(main())
