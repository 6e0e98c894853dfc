"""An experiment: the same pages from Zensical, which its makers build to succeed the theme that MkDocs uses here.

``python -m book zensical SITE`` makes what is out of date, and then both languages below ``SITE``. All that is between
the title of a page and its end comes from ``book/markdown/extension.py``, as in the build by MkDocs; this module only
says which page that is, and writes the configuration. It is named there as an extension, and makes one for each page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from markdown import Markdown

from book import LANGUAGES, ROOT, strings
from book.artifacts import labs
from book.artifacts.made import make_stale
from book.finish import foreign
from book.markdown.extension import BookExtension, Page
from book.source.pages import Settings
from book.source.parser import parse

#: To install: nothing else needs it.
PACKAGE = "zensical==0.0.73"
#: What a page of the site loads: the style sheets of formulas and of the book.
STYLES = ["assets/katex/katex.min.css", "assets/css/book.css"]
#: Of docs/assets, what the pages load. Drawings stand in them; scripts expect the page of the other theme.
ASSETS = ("css", "katex")


class ZensicalExtension(BookExtension):
    """Asks Zensical's own extension, which is the first of each page, what is converted."""

    def extendMarkdown(self, md: Markdown) -> None:
        self.md = md
        super().extendMarkdown(md)

    def text(self, markdown: str) -> str:
        from zensical.extensions.context import ContextPreprocessor

        context = ContextPreprocessor.from_markdown(self.md)
        assert context is not None, "Zensical puts its own extension before all others"
        name = context.page.path.removesuffix(".md")
        self.begin(Page(name, outputs=self._outputs(name)))
        return super().text(markdown)

    def _outputs(self, name: str) -> list[str]:
        lab = labs.name_of(name)
        return labs.outputs(labs.notebook_path(lab, self.language), self.language) if lab else []


def makeExtension(**options) -> ZensicalExtension:
    """What Python-Markdown calls for ``book.adapters.zensical``."""
    return ZensicalExtension(**options)


def named(entry: str | dict, language: str) -> str | dict:
    """An entry of the navigation; a part is named after its first page, as in the build by MkDocs."""
    if isinstance(entry, str):
        return entry
    ((part, pages),) = entry.items()
    index = f"{part}/index.md"
    return {parse(ROOT / "docs" / language / index, language, index).meta["title"]: pages}


def configuration(settings: dict, language: str) -> dict:
    """What Zensical is to know, from ``mkdocs.yml``: which pages there are, their words, and how Markdown is read."""
    words = strings.of(language)["site"]
    extensions: dict[str, dict] = {}
    for one in settings["markdown_extensions"]:
        extensions |= one if isinstance(one, dict) else {one: {}}
    paths = [str(ROOT / folder) for folder in extensions["pymdownx.snippets"]["base_path"]]
    extensions["pymdownx.snippets"]["base_path"] = paths
    extensions["toc"]["permalink_title"] = words["permalink"]
    extensions["pymdownx.blocks.caption"] = {"types": [{"name": "figure-caption", "prefix": words["figure"]}]}
    extensions["book.adapters.zensical"] = {"language": language, "repository": os.environ.get("REPO_URL", "")}
    return {
        "site_name": words["site_name"],
        "site_description": words["site_description"],
        "copyright": words["license"],
        "docs_dir": "docs",
        "site_dir": "site",  # Zensical writes to no folder outside its own
        "nav": [named(entry, language) for entry in settings["nav"]],
        "theme": {"language": language, "font": False, "palette": {"primary": "custom", "accent": "custom"}},
        "extra_css": STYLES,
        "markdown_extensions": [{name: options} for name, options in extensions.items()],
    }


def build(language: str, site: Path) -> None:
    """One language, with its marks on text of the other one. Raises ``RuntimeError`` with what Zensical says."""
    folder = ROOT / ".cache" / "zensical" / language
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / language, folder / "docs")  # its own folder: Zensical watches and caches there
    for assets in ASSETS:
        shutil.copytree(ROOT / "docs" / "assets" / assets, folder / "docs" / "assets" / assets)
    settings = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=Settings)
    text = yaml.safe_dump(configuration(settings, language), sort_keys=False)
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--config-file", "mkdocs.yml"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise RuntimeError(f"Zensical cannot build {language}:\n{done.stdout[-2000:]}")
    for page in (folder / "site").rglob("*.html"):
        page.write_text(foreign.marked(page.read_text(encoding="utf-8"), language), encoding="utf-8")
    shutil.copytree(folder / "site", site / strings.of(language)["site"]["path"], dirs_exist_ok=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book zensical", description="Build the pages with Zensical.")
    parser.add_argument("site", type=Path, help="the folder that the pages are written to")
    site = parser.parse_args(arguments).site.resolve()
    make_stale()
    for language in LANGUAGES:
        build(language, site)
        print(f"{language}: {len(list(site.rglob('index.html')))} pages", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
