"""MkDocs hooks: thin glue between MkDocs and the functions of this package."""

from __future__ import annotations

import functools
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin, urlsplit

if (here := str(Path(__file__).resolve().parents[2])) not in sys.path:  # `mkdocs` starts without this directory
    sys.path.insert(0, here)

from mkdocs.exceptions import BuildError  # noqa: E402
from mkdocs.plugins import event_priority  # noqa: E402

from book import LANGUAGES, ROOT, strings  # noqa: E402
from book.adapters import page_cache, published, serve  # noqa: E402
from book.adapters.english import EnglishBuild  # noqa: E402
from book.artifacts import cells, exercises, labs, made, notebooks, results  # noqa: E402
from book.checks import every  # noqa: E402
from book.finish import article, feed, minimap, places, search, styles  # noqa: E402
from book.finish.pages import finished  # noqa: E402
from book.markdown.extension import BookExtension, Page  # noqa: E402
from book.markdown.later import PLACEHOLDER, Later  # noqa: E402
from book.problems import BookError, Problem  # noqa: E402
from book.source import kinds, minutes  # noqa: E402
from book.source.parser import parse  # noqa: E402

log = logging.getLogger("mkdocs.hooks.book")

DEFAULT = LANGUAGES[0]
#: The English build, while one runs beside this one.
_beside: list[EnglishBuild] = []


def _without_traceback(function: Callable) -> Callable:
    """What keeps the book from being made is said as MkDocs says errors of its own: as a message alone."""

    @functools.wraps(function)
    def told(*arguments, **options):
        try:
            return function(*arguments, **options)
        except BookError as error:
            raise BuildError(str(error)) from None

    return told


def on_startup(command: str, dirty: bool) -> None:
    """What a server needs to be told here outlives the module, which is read again when it changes."""
    os.environ[serve.SERVED] = serve.machinery() if command == "serve" else os.environ.get(serve.SERVED, "")


def _is_served() -> bool:
    return bool(os.environ.get(serve.SERVED))


def _is_invented(address: str) -> bool:
    """Of this machine, or of nobody."""
    return not cells.known(address) or urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")


def on_config(config):
    """Fill in what differs between the languages, and add the book's Markdown extensions."""
    if not config.site_url:
        raise BuildError("SITE_URL is empty: set it to the address of the site, which links need, or do not set it")
    repository = config.extra["repository"] = config.extra["repository"] or ""
    config.extra["public"] = not _is_invented(repository) and bool(urlsplit(repository).hostname)
    if not _is_invented(config.site_url) and not config.extra["public"]:
        raise BuildError(
            f"the site is built for {config.site_url}, but REPO_URL is {repository or 'empty'}: its edit links would "
            "lead to nowhere; set REPO_URL to the address of the repository"
        )
    config.extra["known"] = cells.known(config.site_url), cells.known(repository)  # where notebooks may lead
    language = config.theme["language"]
    config.extra["languages"] = strings.each("site")
    config.extra["missing"] = strings.each("missing")
    config.extra["searching"] = strings.of(language)["search"]
    words = config.extra["languages"][language]
    config.site_name = words["site_name"]
    config.site_description = words["site_description"]
    config.copyright = words["license"]
    config.edit_uri_template = f"{config.extra['repository'].rstrip('/')}/edit/main/docs/{language}/{{path}}"
    for palette, name in zip(config.theme["palette"], words["palette"], strict=True):
        palette["toggle"]["name"] = name
    _set_alternates(config, page_url="")

    settings = config.mdx_configs
    settings["toc"] = {**settings.get("toc", {}), "permalink_title": words["permalink"]}
    paths = [str(ROOT / folder) for folder in settings["pymdownx.snippets"]["base_path"]]
    settings["pymdownx.snippets"] = {**settings["pymdownx.snippets"], "base_path": paths}
    settings["pymdownx.blocks.caption"] = {"types": [{"name": "figure-caption", "prefix": words["figure"]}]}
    later = Later()
    book = BookExtension(language, repository, later.put_off)
    book.figures.waits = _is_served()
    config.markdown_extensions.append(book)
    theme = next(path for path in map(Path, config.theme.dirs) if (path / "assets" / "stylesheets").is_dir())
    config.extra.update(book=book, questions=book.questions, later=later, articles={})
    config.extra["styles"] = styles.of_theme(theme)
    return config


@_without_traceback
def on_pre_build(config) -> None:
    """Once for both languages: see that all is trained, check the pages, draw the figures, execute the labs; while the
    book is served, what takes long of that comes behind its pages."""
    if config.theme["language"] != DEFAULT:
        return
    results.check_trained()
    if problems := every.unreadable(ROOT):
        _warn(problems)
        raise BuildError("the book cannot be read: mend what stands above first")
    with ThreadPoolExecutor(1) as beside:  # other processes draw and execute: the checks leave them a core
        making = beside.submit(made.make_stale, served=_is_served())
        if not _is_served() or config.strict:  # else they come behind: see serve.py
            _warn(every.check_pages(ROOT))
        making.result()


def _warn(problems: list[Problem]) -> None:
    for problem in problems:
        log.warning(str(problem))


@event_priority(-100)  # after mkdocs-jupyter, which need not look at what is added here
@_without_traceback
def on_files(files, config):
    """docs/assets serves both sites. Figures stand in the pages themselves. A lab is a notebook."""
    language = config.theme["language"]
    if language == DEFAULT and (os.cpu_count() or 1) > 1:  # MkDocs has emptied the directory by now
        _beside.append(EnglishBuild(config))
    published.add(files, config, served=_is_served())
    if _is_served():
        root = Path(config.site_dir, *[".."] * config.extra["languages"][language]["path"].count("/")).resolve()
        kept = root / f".rendered-{language}"  # MkDocs leaves what is hidden until the server ends
        config.extra["page_cache"] = page_cache.PageCache(kept, page_cache.state(files), config.extra["later"])
    return files


def _source(page, config) -> Path:
    return ROOT / "docs" / config.theme["language"] / page.file.src_uri


@event_priority(-100)  # after mkdocs-jupyter
def on_pre_page(page, config, files):
    """Render the page of a lab like any other (see published.py); while the book is served, none that is as it was."""
    if labs.name_of(page.file.src_uri):
        page.__dict__.pop("render", None)
    cache = config.extra.get("page_cache")
    page.render = _without_traceback(functools.partial(cache.render, page) if cache else page.render)
    return page


def on_page_markdown(markdown: str, page, config, files) -> str:
    """Say which page is converted next, where its text begins, and what the cells of a lab printed."""
    source = _source(page, config).read_text(encoding="utf-8")
    first_line = source[: source.find(markdown.strip()[:200])].count("\n") + 1
    outputs = (
        labs.outputs(Path(page.file.abs_src_path), config.theme["language"]) if labs.name_of(page.file.src_uri) else []
    )
    config.extra["book"].begin(Page(page.file.src_uri.removesuffix(".md"), first_line, outputs))
    return markdown


def _read(page, config):
    """A page whose reading takes a time that is told, parsed; nothing of others."""
    if kinds.is_taught(page.file.src_uri) and not labs.name_of(page.file.src_uri):
        return parse(_source(page, config), config.theme["language"], page.file.src_uri)
    return None


@_without_traceback
def on_page_content(html: str, page, config, files) -> str:
    if config.extra["feed"] and page.file.src_uri == feed.PAGE:
        config.extra["changes"] = feed.entries(html, page.canonical_url)
    # whoever serves the book looks at pages of their own, which the checks behind look through as they are written
    if not _is_served() and (found := article.wrong(PLACEHOLDER.sub("", html))):
        where, (sought, message) = _source(page, config), found[0]
        line = article.line_of(sought, where.read_text(encoding="utf-8"))
        raise BuildError(f"{where.relative_to(ROOT).as_posix()}:{line}: {message}")
    html = config.extra["later"].put_off_colours(html)
    config.extra["articles"][page.file.src_uri.removesuffix(".md")] = search.sections(html)
    if source := _read(page, config):
        beside = notebooks.links(source, *config.extra["known"]) if notebooks.has_one(source) else ""
        html = minutes.below_title(html, minutes.length(source, ROOT / "snippets"), beside)
    return html


@_without_traceback
def on_nav(nav, config, files):
    """Number parts and pages."""

    def takes(page) -> int:
        source = _read(page, config)
        return minutes.rounded(minutes.length(source, ROOT / "snippets").minutes) if source else 0

    places.count_pages(nav, takes)
    language = config.theme["language"]
    config.extra["left"] = lambda place: minutes.spoken(place.minutes, language) if place.minutes else ""
    return nav


def on_env(env, config, files):
    """Name each section after its index page; MkDocs has read the titles by now."""
    for file in files.documentation_pages():
        section = file.page.parent
        if file.page.is_index and section is not None:
            section.title = file.page.title
    if kept := config.extra.get("page_cache"):
        kept.keep()
    config.extra["meta"] = {file.src_uri.removesuffix(".md"): file.page.meta for file in files.documentation_pages()}
    return env


def on_page_context(context, page, config, nav) -> None:
    _set_alternates(config, page.url)
    if (where := page.meta.get("map")) in minimap.NAMES:  # what else it may be, the checks say
        context["where"] = minimap.svg(where, config.theme["language"])
    if name := labs.name_of(page.file.src_uri):
        context.update(archive=f"{name}.zip", colab=cells.colab(f"labs/{name}", *config.extra["known"]))
    elif page.file.src_uri == f"{exercises.PAGE}.md":
        page.nb_url = f"{exercises.NAME}.ipynb"
        context.update(colab=cells.colab(exercises.PAGE, *config.extra["known"]))


def on_post_page(output: str, page, config) -> str:
    """Formulas and drawings come in when nobody parses the page any more."""
    return _finished(config.extra["later"].put_in(output), "../" * page.url.count("/"), config)


def on_post_template(output: str, template_name: str, config) -> str:
    """The page for missing addresses is one, too."""
    if template_name != "404.html":
        return output
    return _finished(output, f"{urlsplit(config.site_url).path.rstrip('/')}/", config)


def _finished(page: str, base: str, config) -> str:
    language = config.theme["language"]
    path = config.extra["languages"][language]["path"]
    return finished(page, base, path, language, config.extra["styles"], served=_is_served())


def _set_alternates(config, page_url: str) -> None:
    """Where this page is in each language: ``link`` for hreflang, ``path`` from this site's root."""
    languages = config.extra["languages"]
    own = languages[config.theme["language"]]["path"]
    root = config.site_url.removesuffix(own)
    config.extra["alternate"] = [
        {
            "lang": code,
            "name": other["name"],
            "link": urljoin(root, other["path"] + page_url),
            "path": "../" * own.count("/") + other["path"] + page_url,
        }
        for code, other in languages.items()
    ]


def on_post_build(config) -> None:
    """What the search looks through, the notebooks of pages and of the exercises, and the feed. After the Korean site,
    the English one, which has been built meanwhile if there is a core for it."""
    search.write(Path(config.site_dir), config.extra["articles"], config.extra["meta"], config.theme["language"])
    if not _is_served():  # a server makes them when they are asked for
        notebooks.write(Path(config.site_dir), config.theme["language"], *config.extra["known"])
    if exercises.PAGE in config.extra["meta"]:
        exercises.write_notebooks(Path(config.site_dir), config.theme["language"], *config.extra["known"])
    if config.extra["feed"]:
        about = {"title": config.site_name, "subtitle": config.site_description, "language": config.theme["language"]}
        text = feed.atom(config.extra["changes"], home=config.site_url, **about)
        Path(config.site_dir, feed.FILE).write_text(text, encoding="utf-8")
    if config.theme["language"] == DEFAULT:
        if not _beside:
            _beside.append(EnglishBuild(config))
        _beside.pop().wait()


def on_serve(server, config, builder):
    def make_asked(path: str) -> None:
        """The notebook of a page, as the page is now; ``path``: what is asked for, below the address of the site."""
        root = Path(config.site_dir)
        for language, words in config.extra["languages"].items():
            site = (root / words["path"]).resolve()
            name = (root / path).resolve().parent
            if name.is_relative_to(site):
                url = urljoin(config.extra["known"][0], words["path"]) if config.extra["known"][0] else ""
                notebooks.write_one(site, name.relative_to(site).as_posix(), language, url, config.extra["known"][1])

    return serve.improve(server, config.docs_dir, make_asked, serve.Behind(made.make_behind).go_on)


def on_build_error(error) -> None:
    """Whoever stops half-way leaves nothing running."""
    while _beside:
        _beside.pop().end()
