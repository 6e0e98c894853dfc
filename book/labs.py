"""Labs: pages that are notebooks as well. ``python -m book.labs`` executes those out of date.

The source of a lab is a page like any other, ``docs/LANGUAGE/labs/NAME.md``. Its Python fences and
included examples are the cells of a notebook, its prose is what stands between them. The build
executes the notebook in a kernel of its own, once for both languages but for cells that show a figure,
which change nothing that they use; it keeps it in ``.cache/labs/LANGUAGE/NAME.ipynb`` until
the code of the cells changes, or a module that they import, shows what the cells printed, and
offers the notebook for download, alone and with the code that it needs. A picture that a cell
shows must stand below it as a figure.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import hashlib
import io
import json
import os
import re
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import nbformat
from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor
from pymdownx.snippets import SnippetExtension

from book import LANGUAGES, ROOT, comments, touch, values
from book.formulas import MACROS
from book.parser import INCLUDE, parse
from book.processes import end_with_parent, run
from snippets.tools.fingerprint import fingerprint as of_code
from snippets.tools.fingerprint import imported, sources
from snippets.tools.kept import NOTHING
from snippets.tools.meaning import meaning

#: Seconds that a cell may take.
PATIENCE = 600
#: Characters that a cell may print: more is no output to read.
LONGEST = 20_000
#: Opens a notebook from its address, which follows.
COLAB = "https://colab.research.google.com/#fileId="
#: On whose versions it depends what a cell shows.
LIBRARIES = ("torch", "matplotlib", "numpy")

#: The packages that the cells import, besides Jupyter's own, by the names under which they are imported.
NEEDED = ("filelock", "matplotlib", "numpy", "safetensors", "tokenizers", "torch", "tqdm")
#: Packages that are installed under another name than they are imported.
INSTALLED_AS = {"sklearn": "scikit-learn", "PIL": "pillow"}
#: What is in an archive besides the notebook and its code.
BESIDE = ("requirements.txt", "constraints.txt", "LICENSE")
#: The first cell of a notebook, which its page does not show.
SETUP = """\
# {comment}
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = "{repository}"
os.environ["BOOK_LANGUAGE"] = "{language}"
clone = Path.cwd() / "transformer-book"
folders = [Path.cwd(), *Path.cwd().parents, clone]
book = next((f for f in folders if (f / "snippets" / "labs").is_dir()), None)
if book is None:
    if not REPOSITORY:
        raise FileNotFoundError("{error}")
    command = ["git", "clone", "--quiet", "--depth", "1", REPOSITORY, str(clone)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("{failed}\\n" + done.stderr)
    book = clone
needed = {needed}
missing = [needed[name] for name in needed if importlib.util.find_spec(name) is None]
if missing:
    pinned = str(book / "requirements.txt")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "-c", pinned]
    subprocess.run([*install, *missing], check=True)
sys.path.insert(0, str(book))"""
WORDS = {
    "ko": {
        "comment": "책의 코드를 찾고, 없으면 내려받습니다. 그림의 언어도 정합니다.",
        "error": "이 노트북에는 책의 코드(snippets)가 필요합니다. 책의 디렉터리 안에 두고 열거나, "
        "이 노트북의 페이지에서 코드가 담긴 zip 파일을 받아 압축을 푼 디렉터리에서 여세요.",
        "failed": "책의 저장소를 내려받지 못했습니다. git과 인터넷 연결을 확인하거나, "
        "이 노트북의 페이지에서 코드가 담긴 zip 파일을 받아 압축을 푼 디렉터리에서 여세요.",
        "page": "이 노트북은 다음 페이지의 것입니다: [{title}]({address})",
        "waits": "(실행하는 중입니다. 끝나면 출력이 여기에 나옵니다.)\n",
    },
    "en": {
        "comment": "Finds the code of the book, or downloads it, and sets the language of the figures.",
        "error": "This notebook needs the code of the book (snippets). Open it inside the book's directory, "
        "or download the zip file with the code from the notebook's page, and open it where you unpacked that.",
        "failed": "Could not download the book's repository. Check git and your connection, "
        "or download the zip file with the code from the notebook's page, and open it where you unpacked that.",
        "page": "This notebook belongs to the page [{title}]({address}).",
        "waits": "(being executed: what it prints will stand here)\n",
    },
}


class LabError(RuntimeError):
    """A lab that cannot be read or executed; the message says where, and what to do."""


@dataclass(frozen=True)
class Cell:
    """A piece of a lab: ``kind`` is markdown or code, ``line`` where it starts in the page."""

    kind: str
    text: str
    line: int


def names() -> list[str]:
    """All labs, by the name of their page. One that lacks a language is none yet: the checks ask for it."""
    first, *others = ({path.stem for path in (ROOT / "docs" / code / "labs").glob("[!.]*.md")} for code in LANGUAGES)
    return sorted(first.intersection(*others) - {"index"})


def page_path(name: str, language: str) -> Path:
    return ROOT / "docs" / language / "labs" / f"{name}.md"


def notebook_path(name: str, language: str) -> Path:
    return ROOT / ".cache" / "labs" / language / f"{name}.ipynb"


# ---- from a page to a notebook


def expanded(lines: list[str], language: str = LANGUAGES[0]) -> str:
    """Lines of a page in a language with their includes, as the site expands them."""
    lines = [comments.addressed(line, language) for line in lines]
    snippets = SnippetExtension(base_path=[str(ROOT / "snippets"), str(comments.CACHE)], check_paths=True)
    return "\n".join(Markdown(extensions=[snippets]).preprocessors["snippet"].run(lines)) + "\n"


def pieces(path: Path, name: str, language: str) -> Iterator[tuple[str, list[str], int]]:
    """A page taken apart, without its front matter: prose, which may be none, between Python fences and includes.

    Of each, the kind of cell that becomes of it, its lines as the page has them, and how many come before.
    """
    source = values.resolve(path.read_text(encoding="utf-8"), name, ROOT / "snippets", language)
    lines = source.splitlines()
    prose: list[str] = []
    number = began = lines.index("---", 1) + 1 if lines[:1] == ["---"] else 0
    while number < len(lines):
        line = lines[number]
        end = number + 1
        if line.startswith("```"):
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            end += 1
        if line == "```python" or INCLUDE.match(line):
            yield "markdown", prose, began
            yield "code", lines[number:end], number
            prose, began = [], end
        else:
            prose += lines[number:end]
        number = end
    yield "markdown", prose, began


def cells(name: str, language: str) -> list[Cell]:
    """The cells of a lab. Raises ``LabError`` for code that is no single cell."""
    path = page_path(name, language)
    found: list[Cell] = []
    for kind, lines, before in pieces(path, f"labs/{name}.md", language):
        text = "\n".join(lines)
        if kind == "code":
            text = expanded(lines, language)
            code = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
            if len(code) != 1 or text.count("```") != 2:
                where = f"{path.relative_to(ROOT).as_posix()}:{before + 1}"
                raise LabError(f"{where}: in a lab, an include is one ```python block and no output")
            text = code[0].rstrip("\n")
        found.append(Cell(kind, text, before + 1))
    return found


def jupyter_markdown(text: str, address: str) -> str:
    """Prose as Jupyter understands it: without the book's blocks, ids and figures.

    Links have the whole address of a page; where the site has none, their text is left.
    """
    titled = "short|remember|goals|note|tip|warning|solution"
    text = re.sub(rf"^/{{3,}}\s*(?:{titled})\s*\|\s*(.*)$", r"**\1**\n", text, flags=re.M)
    text = re.sub(r"^/{3,}\s*exercise\s*\|\s*(.*)$", r"### \1", text, flags=re.M)
    text = re.sub(r"^/{3,}.*\n?", "", text, flags=re.M)
    text = re.sub(
        r"^!\[.*\]\(.*assets/figures/.*\)(?:\{.*\})?$", "", touch.untouched(text), flags=re.M
    )  # the cell above shows it
    text = re.sub(r"^(#.*?)\s*\{#[^}]*\}$", r"\1", text, flags=re.M)
    if address:
        text = re.sub(r"\]\((?![a-z]+:)([^)\s]+)\)", lambda link: f"]({_address(link[1], address)})", text)
    else:
        text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:)[^)\s]+\)", r"\1", text)
    for macro, tex in MACROS.items():
        text = re.sub(re.escape(macro) + r"(?![A-Za-z])", lambda _, tex=tex: tex, text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _address(link: str, address: str) -> str:
    """Where a relative link of a page leads on the site; a page stands in a directory of its own there."""
    if link.startswith("#"):
        return address + link
    link = re.sub(r"(^|/)index\.md", r"\1", link)
    return urljoin(urljoin(address, "../"), re.sub(r"\.md(?=#|$)", "/", link))


def known(address: str | None) -> str:
    """An address of the site or of the repository; nothing instead of the one that stands in for it: .example."""
    return "" if not address or (urlsplit(address).hostname or "").endswith(".example") else address


def colab(page: str, site_url: str, repository: str) -> str:
    """Where Colab opens the notebook of a page as the site has it, if its first cell can fetch the book from GitHub."""
    if urlsplit(repository).hostname != "github.com" or not site_url:
        return ""
    return COLAB + quote(urljoin(site_url, f"{page}/{page.rpartition('/')[2]}.ipynb"))


def setup(language: str, repository: str, needed: Iterable[str], words: dict[str, str]) -> str:
    """The first cell of a notebook. ``needed``: the packages that the cells import, by the names in their imports."""
    packages = {name: INSTALLED_AS.get(name, name) for name in needed}
    return SETUP.format(language=language, repository=repository, needed=packages, **words)


def notebook(name: str, language: str, site_url: str = "", repository: str = "") -> nbformat.NotebookNode:
    """The notebook of a lab, not executed yet.

    ``site_url``: of this language's site, for links; ``repository``: from which the first cell gets the book.
    """
    address = site_url and urljoin(site_url, f"labs/{name}/")
    title = parse(page_path(name, language), language, f"labs/{name}.md").meta.get("title", name)
    words = WORDS[language]
    parts = [nbformat.v4.new_code_cell(setup(language, repository, NEEDED, words))]
    for cell in cells(name, language):
        if cell.kind == "code":
            parts.append(nbformat.v4.new_code_cell(cell.text))
        elif text := jupyter_markdown(cell.text, address):
            parts.append(nbformat.v4.new_markdown_cell(text))
    if site_url:
        parts.append(nbformat.v4.new_markdown_cell(words["page"].format(title=title, address=address)))
    return assembled(parts)


def assembled(parts: list[nbformat.NotebookNode]) -> nbformat.NotebookNode:
    """A notebook of these cells."""
    for number, part in enumerate(parts):
        part["id"] = f"cell-{number}"  # random ones would make each build another notebook
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=parts, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


# ---- executing


def fingerprint(name: str, language: str) -> str:
    """A hash of the code of the cells, of the modules behind it, and of the libraries."""
    # behind something else, a string is no docstring: it is what a cell shows
    cells = (meaning(f"None\n{text}") for text in _texts_of(name, language))
    return of_code(modules(name, language), ROOT, SETUP, language, *cells, packages=LIBRARIES)


def _texts_of(name: str, language: str) -> list[str]:
    return [cell.text for cell in cells(name, language) if cell.kind == "code"]


def modules(name: str, language: str) -> list[Path]:
    """What the cells import, directly or not."""
    return sources([file for text in _texts_of(name, language) for file in imported(text, ROOT)], ROOT)


def executed(name: str, language: str) -> nbformat.NotebookNode | None:
    """The executed notebook, if its code has not changed since."""
    try:
        done = nbformat.read(notebook_path(name, language), as_version=4)
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, nbformat.ValidationError) as error:  # also no JSON
        print(f"{notebook_path(name, language)} is damaged, and made anew: {error}", file=sys.stderr, flush=True)
        return None
    if done.metadata.get("book") != fingerprint(name, language):
        return None
    if done.metadata.get("outputs") != _digest(done):
        print(f"{notebook_path(name, language)} was edited, and is made anew", file=sys.stderr, flush=True)
        return None
    return done


def _digest(book: nbformat.NotebookNode) -> str:
    """A hash of what the cells put out: nobody edits it by hand."""
    return hashlib.sha256(json.dumps([cell.outputs for cell in _code(book)], sort_keys=True).encode()).hexdigest()


def stale() -> list[tuple[str, str]]:
    """Labs, and in which language, that were never executed or whose code has changed since."""
    return [(name, language) for language in LANGUAGES for name in names() if executed(name, language) is None]


def _code(book: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells, of which the first is the set-up."""
    return [cell for cell in book.cells if cell.cell_type == "code"]


def outputs(path: Path, language: str) -> list[str]:
    """What each cell of the page printed, or that it has yet to; pictures stand on the page as figures."""
    cells, waits = _code(nbformat.read(path, as_version=4))[1:], WORDS[language]["waits"]
    return ["".join(_texts(cell)) if cell.execution_count else waits for cell in cells]


def _texts(cell) -> list[str]:
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        elif "image/svg+xml" not in output.data:
            texts.append(output.data.get("text/plain", "") + "\n")
    return texts


def _pictured(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell has put out more than text, such as a figure, which has labels in a language."""
    return any(set(output.get("data", ())) - {"text/plain"} for output in cell.outputs)


async def _run(client, language: str, book: nbformat.NotebookNode, twins: dict[str, nbformat.NotebookNode]) -> None:
    """Run the cells of a notebook. ``twins``: notebooks with the same cells in other languages. A cell that shows
    a picture is run once more for each of them; what is only printed they take over."""
    for number, cell in enumerate(_code(book)):
        await _run_cell(client, book, number)
        for other, twin in twins.items():
            same = _code(twin)[number]
            same.outputs, same.execution_count = copy.deepcopy(cell.outputs), cell.execution_count
            if _pictured(cell):
                await _run_cell(client, assembled([_speaking(other)]), 0)
                await _run_cell(client, twin, number)
                await _run_cell(client, assembled([_speaking(language)]), 0)


async def _run_cell(client, book: nbformat.NotebookNode, number: int) -> None:
    """Run a cell of code; what it puts out, and its number, are written into it."""
    client.nb, cell = book, _code(book)[number]
    index = [one["id"] for one in book.cells].index(cell["id"])
    await client.async_execute_cell(cell, index, execution_count=number + 1)


def _speaking(language: str) -> nbformat.NotebookNode:
    """A cell after which figures have their labels in this language."""
    (line,) = [line for line in SETUP.splitlines() if "BOOK_LANGUAGE" in line]
    return nbformat.v4.new_code_cell(f"import os\n{line.format(language=language)}")


async def _execute(name: str, languages: list[str]) -> None:
    """In one kernel: what the cells import is loaded once, and what they compute is computed once."""
    # imported here, since most builds have nothing to execute
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    keys = {language: fingerprint(name, language) for language in languages}  # what is edited meanwhile is run again
    books = {language: notebook(name, language) for language in languages}
    client = NotebookClient(
        books[languages[0]],
        timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(ROOT)}},
        extra_arguments=["--log-level=ERROR"],  # it warns that other programs of this machine may listen
    )
    first, *others = languages
    code = {language: _texts_of(name, language) for language in languages}
    same = {language: books[language] for language in others if code[language] == code[first]}
    start = time.perf_counter()
    try:
        async with client.async_setup_kernel():
            await _run(client, first, books[first], same)
            for language in [language for language in others if language not in same]:
                await _run(client, language, books[language], {})
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        reason = re.sub(r"\x1b\[[\d;]*m", "", str(error)).strip()
        language = next((language for language in languages if client.nb is books[language]), first)
        page, code = _source_of(name, language)
        failed = [any(output.output_type == "error" for output in cell.outputs) for cell in _code(client.nb)]
        line = code[failed.index(True) - 1].line if any(failed) else 1
        raise LabError(f"{page}:{line}: a cell of this lab fails; correct it, or what it imports\n{reason}") from None
    for language, book in books.items():
        page, code = _source_of(name, language)
        for cell, source in zip(_code(book)[1:], code, strict=True):
            where = f"{page}:{source.line}: this cell"
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise LabError(f"{where} writes to stderr, which no page shows:\n{output.text}")
            if (length := sum(map(len, _texts(cell)))) > LONGEST:
                raise LabError(f"{where} prints {length:,} characters, and may print {LONGEST:,}: print less")
            cell.outputs = _joined(cell.outputs)
        book.metadata.update(book=keys[language], outputs=_digest(book))
        _write(book, notebook_path(name, language))
    print(f"lab  {name}, {' and '.join(languages)}  ({time.perf_counter() - start:.1f} s)", flush=True)


def _source_of(name: str, language: str) -> tuple[str, list[Cell]]:
    """The page of a lab, and its cells of code."""
    page = page_path(name, language).relative_to(ROOT).as_posix()
    return page, [cell for cell in cells(name, language) if cell.kind == "code"]


def _joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Pieces of one text are one output: it is chance where they are split. (nbclient's own way takes minutes.)"""
    joined: list[nbformat.NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _write(book: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook if it says something new; half a file never looks like a whole."""
    text = nbformat.writes(book) + "\n"
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def execute_anew(todo: list[tuple[str, str]]) -> None:
    """Execute labs in a process of its own. Raises ``LabError``."""
    if todo and run("book.labs", cwd=ROOT):
        raise LabError("could not execute the labs (the reason stands above)")


def execute_stale() -> None:
    """Execute what is out of date, all labs at once."""
    os.environ.update(OMP_NUM_THREADS="1", TQDM_DISABLE="1")  # for the kernels: one thread each, and no bars
    todo: dict[str, list[str]] = {}
    for name, language in stale():
        todo.setdefault(name, []).append(language)

    async def together() -> None:
        results = await asyncio.gather(*map(_execute, todo, todo.values()), return_exceptions=True)
        for problem in filter(None, results):
            raise problem

    asyncio.run(together())


def write_download(name: str, language: str, site_url: str, repository: str = "", waits: bool = False) -> Path:
    """The notebook to download: today's prose with the outputs of its execution, for which a server ``waits``."""
    done, new = executed(name, language), notebook(name, language, site_url, repository)
    if done is None and not waits:
        raise LabError(f"the lab {name} ({language}) has not been executed; run: python -m book.labs")
    for old, cell in zip(_code(done), _code(new), strict=True) if done else ():
        cell.outputs, cell.execution_count = old.outputs, old.execution_count
    path = notebook_path(name, language).with_name("download") / f"{name}.ipynb"
    _write(new, path)
    return path


def write_archive(name: str, language: str) -> Path:
    """A zip file beside the notebook to download, with all that it needs of the book: it runs without a network."""
    path = notebook_path(name, language).with_name("download") / f"{name}.zip"
    snippets, code = ROOT / "snippets", modules(name, language)
    packages = {folder / "__init__.py" for file in code for folder in file.parents if folder.is_relative_to(snippets)}
    trained = {f"{name}.{suffix}" for name in _trained(name, language) for suffix in ("json", "safetensors")}
    texts = {text for file in code if file.name == "corpus.py" for text in (file.parent / "texts").iterdir()}
    files = {
        *code,
        *texts,
        *packages,
        *(snippets / "results" / file for file in trained),
        *(ROOT / file for file in BESIDE),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(file: Path, inside: str) -> None:  # without today's date: the same files make the same archive
            archive.writestr(zipfile.ZipInfo(f"{name}/{inside}"), file.read_bytes(), zipfile.ZIP_DEFLATED)

        add(path.with_suffix(".ipynb"), f"{name}.ipynb")
        for file in sorted(filter(Path.is_file, files)):
            add(file, file.relative_to(ROOT).as_posix())
    if not path.is_file() or path.read_bytes() != content.getvalue():
        path.write_bytes(content.getvalue())
    return path


def _trained(name: str, language: str) -> set[str]:
    """The kept results that the cells of a lab read."""
    return {found for text in _texts_of(name, language) for found in re.findall(r'^@cached\("([^"]+)"\)', text, re.M)}


# ---- showing


class _Outputs(Preprocessor):
    """Puts what a cell printed below it."""

    def __init__(self, md: Markdown, extension: LabExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        if not self.extension.outputs:
            return lines
        waiting = list(self.extension.outputs)
        result: list[str] = []
        inside = ""
        for line in lines:
            result.append(line)
            ends = bool(INCLUDE.match(line)) and not inside
            if line.startswith("```"):
                ends = inside == "```python"
                inside = "" if inside else line
            if ends and (output := waiting.pop(0)):
                result += ["", "```text", *output.rstrip("\n").splitlines(), "```"]
        return result


class LabExtension(Extension):
    """Shows the outputs of a lab; the build sets ``outputs`` before each page."""

    outputs: list[str] = []

    def extendMarkdown(self, md: Markdown) -> None:
        # before the includes (32) are expanded, after the formulas have seen the page (200)
        md.preprocessors.register(_Outputs(md, self), "labs", 100)


def main(arguments: list[str]) -> int:
    end_with_parent()
    os.environ[NOTHING] = "1"
    parser = argparse.ArgumentParser(prog="python -m book.labs", description="Execute the labs that are out of date.")
    parser.add_argument("--fresh", action="store_true", help="execute all labs, also those that are up to date")
    if parser.parse_args(arguments).fresh:
        for path in (ROOT / ".cache" / "labs").rglob("*.ipynb"):
            path.unlink()
    try:
        execute_stale()
    except LabError as error:
        print(error, file=sys.stderr)
        return 1
    print("all labs are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
