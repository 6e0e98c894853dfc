"""What a site publishes besides its pages: notebooks of labs, what pages load, old addresses, and what robots read."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

from mkdocs.structure.files import File

from book import LANGUAGES, ROOT
from book.artifacts import downloads, figures, labs
from book.finish import assets, feed, moved, script
from book.markdown import touch
from book.source.page import MARKER
from book.source.parser import parse

ASSETS = ROOT / "docs" / "assets"


def add(files, config, served: bool) -> None:
    """Add to the files of MkDocs all that stands beside pages; ``served``: while somebody writes them."""
    language = config.theme["language"]
    _labs(files, config, language, served)
    _loaded(files, config)
    _old_addresses(files, config, language, served)
    cards = {f"assets/card.{code}.png": figures.card_path(code) for code in LANGUAGES}
    for address, card in cards.items():
        if card.is_file():
            files.append(File.generated(config, address, abs_src_path=str(card)))
    assets.publish(files, here=language == LANGUAGES[0])
    if language == LANGUAGES[0]:
        _at_the_root(files, config)
    config.extra["feed"] = feed.FILE if config.extra["known"][0] and files.get_file_from_path(feed.PAGE) else ""
    address = f"assets/card.{language}.png"
    known = cards[address].is_file()
    config.extra["card"] = urljoin(config.extra["alternate"][0]["link"], address) if known else ""


def _labs(files, config, language: str, served: bool) -> None:
    """A lab is a page whose file is a notebook, which mkdocs-jupyter offers for download, and whose text is Markdown.

    Its rendering is left to the book, which knows formulas, footnotes and blocks: a notebook's loads scripts from
    other hosts."""
    for name in labs.names():
        source = files.get_file_from_path(f"labs/{name}.md")
        if source is None:
            continue  # in this language it is missing, which the checks say
        files.remove(source)
        site, repository = config.extra["known"]
        path = downloads.write_download(name, language, site, repository, waits=served)
        page = File.generated(config, source.src_uri, content=source.content_string)
        page.abs_src_path, page.edit_uri = str(path), source.edit_uri
        files.append(page)
        archive = downloads.write_archive(name, language)
        files.append(File.generated(config, f"labs/{name}/{name}.zip", abs_src_path=str(archive)))


def _loaded(files, config) -> None:
    """What pages load. Figures stand in the pages themselves."""
    for path in sorted(ASSETS.rglob("*")):
        if path.is_file() and not path.is_symlink() and figures.DRAWN not in path.parents and path.name[0] != ".":
            if path.parent == script.MAIN.parent:
                continue  # all of it is one script
            uri = path.relative_to(ASSETS.parent).as_posix()
            files.append(File.generated(config, uri, abs_src_path=str(path)))
    if script.MAIN.is_file():
        files.append(File.generated(config, script.PUBLISHED, content=script.joined(script.MAIN)))
    for name in touch.names():
        if (numbers := figures.numbers_path(name)).is_file():
            files.append(File.generated(config, f"assets/js/touch/{name}.json", abs_src_path=str(numbers)))
    for path in sorted((ROOT / "snippets" / "onefile").glob("[a-z]*.py")):  # whole models, to download
        files.append(File.generated(config, f"assets/onefile/{path.name}", content=downloaded(path)))


def downloaded(path: Path) -> str:
    """A whole model as readers get it: without the marks of its sections, which pages include."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not MARKER.search(line))


def _at_the_root(files, config) -> None:
    """What is asked for below the address of the whole site alone."""
    worker = str(ASSETS / "js" / "offline" / "worker.js")  # a worker answers only for what lies below it
    files.append(File.generated(config, "offline.js", abs_src_path=worker))
    maps = (f"Sitemap: {one['link']}sitemap.xml\n" for one in config.extra["alternate"])
    files.append(File.generated(config, "robots.txt", content=f"User-agent: *\nAllow: /\n\n{''.join(maps)}"))


def _old_addresses(files, config, language: str, served: bool) -> None:
    """Where pages have moved from, there stands what leads on."""
    for old, one in moved.pages(config.extra["moved"]).items():
        if not (new := files.get_file_from_path(one.to.partition("#")[0])):
            continue  # which the checks say
        title = str(parse(Path(new.abs_src_path), language, new.src_uri).meta.get("title", ""))
        path = config.extra["languages"][language]["path"]
        content = moved.page(old, one, title, language, config.site_url, path, served)
        files.append(File.generated(config, moved.file(old), content=content))
