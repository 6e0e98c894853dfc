"""The exercises in ``exercises/``, as the site shows them: a table on their page, and a notebook with all blanks."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urljoin

import nbformat
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from book import ROOT, labs
from book.pages import EXERCISES as MARKER
from book.pages import parse

PAGE = "training/build-it-yourself"
NAME = "build-it-yourself"
#: What the modules that are to be written import, besides Jupyter's own.
NEEDED = ("filelock", "numpy", "safetensors", "torch", "tqdm")
WORDS = {
    "ko": {
        "head": ("연습", "단계", "난이도", "시간"),
        "difficulty": {1: "쉬움", 2: "보통", 3: "어려움"},
        "minutes": "{}분",
        "all": ("모두", "단계 {}개", "", "{:.0f}시간쯤"),
        "comment": "책의 코드를 찾고, 없으면 내려받습니다.",
        "error": "이 노트북에는 책의 코드(snippets와 exercises)가 필요합니다. 책의 디렉터리 안에 두고 여세요.",
        "failed": "책의 저장소를 내려받지 못했습니다. git과 인터넷 연결을 확인하세요.",
        "intro": "# {title}\n\n"
        "NotImplementedError를 내는 본문을 쓰고 그 아래의 check를 실행하면 어디까지 맞았는지 알 수 있습니다. "
        "연습마다 앞에서 만든 것 대신 책의 코드를 쓰므로 어느 것부터 시작해도 됩니다.",
    },
    "en": {
        "head": ("Exercise", "Stages", "Difficulty", "Time"),
        "difficulty": {1: "easy", 2: "medium", 3: "hard"},
        "minutes": "{} min",
        "all": ("All", "{} stages", "", "about {:.0f} h"),
        "comment": "Finds the code of the book, or downloads it.",
        "error": "This notebook needs the code of the book (snippets and exercises). "
        "Open it inside the book's directory.",
        "failed": "Could not download the book's repository. Check git and your connection.",
        "intro": "# {title}\n\n"
        "Write each body that raises NotImplementedError, and run the check below it to see how far it is right. "
        "Each exercise uses the book's code for what comes before it, so begin wherever you like.",
    },
}


def _all() -> list:
    """The exercises themselves. A book without any has no such package."""
    if str(ROOT) not in sys.path:  # MkDocs forgets what its hooks have put there
        sys.path.insert(0, str(ROOT))
    from exercises.checking import read_parts

    return list(read_parts().values())


def _title(page: str, language: str) -> str:
    path = ROOT / "docs" / language / f"{page}.md"
    return parse(path, language, f"{page}.md").meta.get("title", page)


def table(language: str) -> list[str]:
    """All exercises as lines of a Markdown table, as their page has it."""
    words, found = WORDS[language], _all()
    lines = [f"| {' | '.join(words['head'])} |", "|---|---|---|---|"]
    for exercise in found:
        title = f"[{_title(exercise.page, language)}](../{exercise.page}.md)<br>`{exercise.name}.py`"
        stages = ", ".join(f"`{stage.item}`" for stage in exercise.stages)
        difficulty, minutes = words["difficulty"][exercise.difficulty], words["minutes"].format(exercise.minutes)
        lines.append(f"| {title} | {stages} | {difficulty} | {minutes} |")
    name, stages, difficulty, hours = words["all"]
    stages = stages.format(sum(len(exercise.stages) for exercise in found))
    hours = hours.format(sum(exercise.minutes for exercise in found) / 60)
    return [*lines, f"| **{name}** | {stages} | {difficulty} | {hours} |"]


def notebook(language: str, site_url: str = "", repository: str = "") -> nbformat.NotebookNode:
    """The first cell of every notebook of the book, then for each exercise its blank and its check."""
    found = _all()
    from exercises.blanks import blank, to_write

    words, address = WORDS[language], site_url and urljoin(site_url, f"{PAGE}/")
    texts = {key: words[key] for key in ("comment", "error", "failed")}
    setup = labs.SETUP.format(language=language, repository=repository, needed=" ".join(NEEDED), **texts)
    cell, prose = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    parts = [
        cell(setup),
        prose(words["intro"].format(title=_title(PAGE, language))),
        cell("from exercises import check"),
    ]
    for exercise in found:
        link = f"[{_title(exercise.page, language)}](../{exercise.page}.md)"
        time = f"{words['difficulty'][exercise.difficulty]}, {words['minutes'].format(exercise.minutes)}"
        parts.append(prose(labs.jupyter_markdown(f"## {link} ({time})", address)))
        source = exercise.solution.read_text(encoding="utf-8")
        names = dict.fromkeys(name.partition(".")[0] for name in to_write(source, exercise))
        code = re.sub(r"(?m)\A\"\"\".*\n\n(?:#.*\n)+\n", "", blank(source, exercise))
        parts += [cell(code.strip()), cell(f"check({', '.join(names)})")]
    for number, part in enumerate(parts):
        part["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=parts, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def write_notebook(site: Path, language: str, site_url: str, repository: str) -> None:
    """The notebook to download, beside its page in the directory of a site."""
    path = site / PAGE / f"{NAME}.ipynb"  # no page of mkdocs-jupyter's: nothing in it is executed
    path.write_text(nbformat.writes(notebook(language, site_url, repository)) + "\n", encoding="utf-8")


class _Table(Preprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, lines: list[str]) -> list[str]:
        return [new for line in lines for new in (table(self.language) if line.strip() == MARKER else [line])]


class ExerciseExtension(Extension):
    """Puts the table where a page says ``<!-- exercises -->``."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language

    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(_Table(md, self.language), "exercises", 150)
