"""Reads all pages of the book, and names its files in reading order: what the checks and the tests look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from book import LANGUAGES
from book.source import editions, located
from book.source.page import Page
from book.source.parser import parse
from book.source.text import read, visible


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
        line, problem = located.yaml_fault(error)
        raise SettingsError(line, f"this is not YAML: {problem}") from None
    return flat((config or {}).get("nav") or [])


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
