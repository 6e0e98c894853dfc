"""Cells: what every notebook of the book is made of, be it a lab or any other page.

A page is prose between Python fences and included examples. Prose becomes Markdown as Jupyter understands it; the
first cell, which no page shows, finds the code of the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import nbformat
from markdown import Markdown
from pymdownx.snippets import SnippetExtension

from book import LANGUAGES, ROOT, files, strings
from book.source import comments, values
from book.source.parser import INCLUDE
from book.source.prose import untouched
from book.source.tex import MACROS

#: Opens a notebook from its address, which follows.
COLAB = "https://colab.research.google.com/#fileId="
#: The packages that the cells import, besides Jupyter's own, by the names under which they are imported.
NEEDED = ("filelock", "matplotlib", "numpy", "safetensors", "tokenizers", "torch", "tqdm")
#: Packages that are installed under another name than they are imported.
INSTALLED_AS = {"sklearn": "scikit-learn", "PIL": "pillow"}
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
WORDS = strings.each("labs")


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


def jupyter_markdown(text: str, address: str) -> str:
    """Prose as Jupyter understands it: without the book's blocks, ids and figures.

    Links have the whole address of a page; where the site has none, their text is left.
    """
    titled = "short|remember|goals|note|tip|warning|solution"
    text = re.sub(rf"^/{{3,}}\s*(?:{titled})\s*\|\s*(.*)$", r"**\1**\n", text, flags=re.M)
    text = re.sub(r"^/{3,}\s*exercise\s*\|\s*(.*)$", r"### \1", text, flags=re.M)
    text = re.sub(r"^/{3,}.*\n?", "", text, flags=re.M)
    text = re.sub(
        r"^!\[.*\]\(.*assets/figures/.*\)(?:\{.*\})?$", "", untouched(text), flags=re.M
    )  # the cell above shows it
    text = re.sub(r"^(#.*?)\s*\{#[^}]*\}$", r"\1", text, flags=re.M)
    if address:
        text = re.sub(r"\]\((?![a-z]+:)([^)\s]+)\)", lambda link: f"]({_address(link[1], address)})", text)
    else:
        text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:)[^)\s]+\)", r"\1", text)
    for macro, tex in MACROS.items():
        text = re.sub(re.escape(macro) + r"(?![A-Za-z])", tex.replace("\\", r"\\"), text)
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


def assembled(parts: list[nbformat.NotebookNode]) -> nbformat.NotebookNode:
    """A notebook of these cells."""
    for number, part in enumerate(parts):
        part["id"] = f"cell-{number}"  # random ones would make each build another notebook
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=parts, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def write(book: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook if it says something new."""
    text = nbformat.writes(book) + "\n"
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    files.write(path, text)
