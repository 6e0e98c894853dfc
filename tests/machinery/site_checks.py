"""Checks on a built site: each takes a ``Site`` and returns its problems, one line each.

The tests of the real site expect no problem. ``tests/test_site.py`` also gives every check a
broken site and expects it to speak up.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from book import ROOT


@dataclass
class Site:
    """A built site: its files, and the address that it was built for and is served at."""

    directory: Path
    address: str
    docs: Path = ROOT / "docs"
    log: str = ""
    _pages: dict[str, BeautifulSoup] = field(default_factory=dict, repr=False)

    @property
    def pages(self) -> dict[str, BeautifulSoup]:
        """Every HTML file, parsed, by its path below the site's root."""
        if not self._pages:
            for path in sorted(self.directory.rglob("*.html")):
                self._pages[path.relative_to(self.directory).as_posix()] = BeautifulSoup(
                    path.read_bytes(), "html.parser"
                )
        return self._pages

    def documents(self, language: str) -> dict[str, BeautifulSoup]:
        """The pages of the book in one language, by their address below that language's root."""
        mine = {path: soup for path, soup in self.pages.items() if language_of(path) == language}
        root = "" if language == "ko" else f"{language}/"
        return {
            path.removeprefix(root).removesuffix("index.html"): soup
            for path, soup in mine.items()
            if path.endswith("index.html")
        }

    def url(self, path: str) -> str:
        return urljoin(self.address, path.removesuffix("index.html"))

    def source(self, path: str) -> Path | None:
        """The Markdown file behind an HTML file."""
        language = language_of(path)
        stem = path.removeprefix("en/").removesuffix("index.html").rstrip("/")
        for candidate in (f"{stem}/index.md" if stem else "index.md", f"{stem}.md"):
            if (self.docs / language / candidate).is_file():
                return self.docs / language / candidate
        return None

    def problem(self, path: str, what: str, *traces: str) -> str:
        """``what``, after the HTML file and the line of the Markdown that has one of the ``traces``."""
        source = self.source(path)
        if source is None:
            return f"{path}: {what}"
        lines = source.read_text(encoding="utf-8").splitlines()
        numbers = [n for trace in traces if trace for n, line in enumerate(lines, 1) if trace in line]
        where = f"docs/{source.relative_to(self.docs).as_posix()}" + (f":{numbers[0]}" if numbers else "")
        return f"{path} (from {where}): {what}"

    def target(self, url: str) -> str | None:
        """The file that an address within the site leads to; ``None`` if there is none."""
        path = unquote(urlsplit(url).path).removeprefix(urlsplit(self.address).path.rstrip("/")).lstrip("/")
        path = path + "index.html" if path.endswith("/") or not path else path
        return path if (self.directory / path).is_file() else None

    def foreign(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and parts.netloc != urlsplit(self.address).netloc


def language_of(path: str) -> str:
    return "en" if path.startswith("en/") else "ko"


def _attributes(soup: BeautifulSoup, *names: str) -> list[tuple[Tag, str, str]]:
    return [(tag, name, tag[name]) for tag in soup.find_all(True) for name in names if tag.has_attr(name)]


def broken_links(site: Site) -> list[str]:
    """Links, sources and references to ids that lead nowhere, in pages and within SVGs."""
    problems = []
    ids = {path: {tag["id"] for tag in soup.find_all(id=True)} for path, soup in site.pages.items()}
    for path, soup in site.pages.items():
        for tag, name, value in _attributes(soup, "href", "src", "xlink:href"):
            url = urljoin(site.url(path), value)
            if value.startswith("//"):
                what = f'{name}="{value}" starts with two slashes: a browser takes what follows for a host'
                problems.append(site.problem(path, what, value))
            if urlsplit(url).scheme not in ("http", "https") or site.foreign(url):
                continue
            trace = value.split("#")[-1] or Path(urlsplit(value).path).name
            file = site.target(url)
            fragment = unquote(urlsplit(url).fragment)
            if path.endswith("404.html") and not value.startswith(("/", "#", site.address)):
                what = "is relative, but this file is served at every address; start it at the root"
            elif file is None:
                what = "leads to no file of the site; correct the link, or add the page to both languages"
            elif fragment and file.endswith(".html") and fragment not in ids[file]:
                what = f"leads to no heading or element of {file}; correct the anchor"
            else:
                continue
            problems.append(site.problem(path, f'{name}="{value}" of <{tag.name}> {what}', trace, value))
        for _, name, value in _attributes(soup, "style", "clip-path", "mask", "fill", "stroke", "filter"):
            for used in re.findall(r"url\([\"']?#([^)\"']+)", value):
                if used not in ids[path]:
                    problems.append(
                        site.problem(path, f'{name} uses "#{used}", which the page lacks; draw the figure anew')
                    )
        for _, name, value in _attributes(soup, "aria-describedby"):
            problems += [
                site.problem(path, f'{name}="{used}": the page has no such id')
                for used in value.split()
                if used not in ids[path]
            ]
    return problems


#: Where HTML loads something by itself, without the reader's asking.
LOADS = {
    "img": ("src", "srcset"),
    "script": ("src",),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
    "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"),
}
LOADING_LINKS = {"stylesheet", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "icon", "manifest"}
LOADING_LINKS |= {"shortcut", "apple-touch-icon", "mask-icon", "prerender"}


def _css_loads(css: str) -> list[str]:
    urls = re.findall(r"url\(\s*([\"']?)(.*?)\1\s*\)", css) + re.findall(r"@import\s+([\"'])(.*?)\1", css)
    return [url for _, url in urls]


def foreign_loads(site: Site) -> list[str]:
    """Whatever a page or a style sheet would fetch from another host."""
    advice = "comes from another host; keep a copy below docs/assets and use that"
    problems = []
    for path, soup in site.pages.items():
        found = []
        for tag in soup.find_all(list(LOADS)):
            for name in LOADS[tag.name]:
                values = tag.get(name, "").split(",") if name == "srcset" else [tag.get(name, "")]
                found += [value.split()[0] for value in values if value.strip()]
        for tag in soup.find_all("link", href=True):
            if LOADING_LINKS & set(tag.get("rel", [])):
                found.append(tag["href"])
        for tag in soup.find_all("style"):
            found += _css_loads(tag.get_text())
        for tag in soup.find_all(style=True):
            found += _css_loads(tag["style"])
        for url in found:
            if site.foreign(urljoin(site.url(path), url)):
                problems.append(site.problem(path, f"{url} {advice}", url))
    for path in sorted(site.directory.rglob("*.css")):
        name = path.relative_to(site.directory).as_posix()
        for url in _css_loads(path.read_text(encoding="utf-8")):
            if site.foreign(urljoin(site.url(name), url)):
                problems.append(f"{name}: {url} {advice}")
            elif not url.startswith(("data:", "#")) and site.target(urljoin(site.url(name), url)) is None:
                problems.append(f"{name}: {url} is no file of the site; add it below docs/assets")
    return problems


def missing_alternatives(site: Site) -> list[str]:
    """Pictures that say nothing to who cannot see them."""
    problems = []
    for path, soup in site.pages.items():
        for image in soup.find_all("img"):
            if not image.get("alt", "").strip():
                what = f"the image {image.get('src')} has no alternative text; write what it shows into ![...]"
                problems.append(site.problem(path, what, Path(image.get("src", "")).name))
        for svg in soup.find_all("svg"):
            if (svg.get("role") == "img" or svg.find_parent(class_="figure")) and not svg.get("aria-label", "").strip():
                number = soup.find_all("svg", role="img").index(svg) + 1 if svg.get("role") == "img" else "?"
                what = f"figure {number} of the page has no alternative text; write what it shows into ![...]"
                problems.append(site.problem(path, what, "![]("))
    return problems


def duplicate_ids(site: Site) -> list[str]:
    problems = []
    for path, soup in site.pages.items():
        seen: set[str] = set()
        for tag in soup.find_all(id=True):
            if tag["id"] in seen:
                problems.append(site.problem(path, f'the id "{tag["id"]}" occurs twice; rename one', tag["id"]))
            seen.add(tag["id"])
    return problems


def leftover_markup(site: Site) -> list[str]:
    """Source text that some extension should have turned into something else."""
    problems = []
    for path, soup in site.pages.items():
        for text in (soup.article or soup).find_all(string=True):
            if text.find_parent(["code", "pre", "script", "style", "annotation"]):
                continue
            for mark in re.findall(r"\$\$|\\[(\[]|--8<--|^/{3,}|\{ *[#.][\w-]+ *\}|<!-- glossary", text, re.MULTILINE):
                what = f'"{mark}" is still in the text: "{text.strip()[:60]}"; mind empty lines and spaces around it'
                problems.append(
                    site.problem(path, what, text.strip().splitlines()[0][:40] if text.strip() else "", mark)
                )
    return problems


def incomplete_formulas(site: Site) -> list[str]:
    """Formulas without their shape for the eye, or without MathML for a screen reader."""
    problems = []
    for path, soup in site.pages.items():
        for number, formula in enumerate(soup.find_all(class_="formula"), 1):
            if not formula.select_one(".katex-html") or not formula.select_one(".katex-mathml math"):
                what = (
                    f"formula {number} lacks its HTML or its MathML: {formula.get_text()[:60]!r}; see book/formulas.py"
                )
                problems.append(site.problem(path, what))
    return problems


def head_problems(site: Site) -> list[str]:
    """Language, title, description, canonical address and alternates of every page."""
    problems = []
    described: dict[tuple[str, str], str] = {}
    alternates: dict[str, dict[str, str]] = {}
    for path, soup in site.pages.items():
        language, head = language_of(path), soup.head
        say = functools.partial(site.problem, path)
        if soup.html.get("lang") != language:
            problems.append(say(f'<html lang="{soup.html.get("lang")}"> should be "{language}"'))
        for kind, tag in (("title", head.title), ("description", head.find("meta", attrs={"name": "description"}))):
            text = (tag.get("content") if kind == "description" else tag.get_text()).strip() if tag else ""
            if not text:
                problems.append(say(f"the page has no {kind}; give it one in its front matter", "---"))
            elif (language, text) in described and kind == "description":
                other = described[language, text]
                problems.append(say(f"the {kind} is that of {other} too; say what this page is about", "description:"))
            elif kind == "description":
                described[language, text] = path
        for name in ("og:title", "og:description", "og:type", "og:locale"):
            tag = head.find("meta", property=name)
            if not tag or not tag.get("content"):
                problems.append(say(f"{name} is missing or empty; see book/theme/main.html"))
        links = {tag["hreflang"]: tag["href"] for tag in head.find_all("link", rel="alternate", hreflang=True)}
        if set(links) != {"ko", "en", "x-default"}:
            problems.append(say(f"hreflang names {sorted(links)}, not ko, en and x-default"))
        alternates[path] = links
        if path.endswith("404.html"):
            continue
        canonical = head.find("link", rel="canonical")
        if not canonical or canonical["href"] != site.url(path):
            problems.append(say(f"the canonical address is {canonical and canonical['href']}, not {site.url(path)}"))
    for path, links in alternates.items():
        if path.endswith("404.html"):
            continue
        for language, url in links.items():
            other = site.target(url)
            if other is None or site.foreign(url):
                problems.append(site.problem(path, f"hreflang {language} leads to {url}, which is no page of the site"))
            elif alternates[other].get(language_of(path)) != site.url(path):
                problems.append(site.problem(path, f"hreflang {language} leads to {other}, which does not lead back"))
    return problems


def heading_differences(site: Site) -> list[str]:
    """Headings whose anchors differ between the languages: the language switch would lose the place."""
    problems = []
    korean, english = site.documents("ko"), site.documents("en")
    for page in sorted(set(korean) ^ set(english)):
        problems.append(
            f"{page or 'the first page'} is in {'ko' if page in korean else 'en'} only; write the other one"
        )
    for page in sorted(set(korean) & set(english)):
        ids = [
            [(tag.name, tag.get("id")) for tag in soup.article.find_all(re.compile("^h[1-6]$"))]
            for soup in (korean[page], english[page])
        ]
        if ids[0] != ids[1]:
            mine, yours = next(
                (pair for pair in zip(*ids, strict=False) if pair[0] != pair[1]), (ids[0][-1:], ids[1][-1:])
            )
            what = f"here {mine}, in English {yours}: give both the same {{#id}} and level"
            problems.append(site.problem(f"{page}index.html", what, str(mine[1]) if isinstance(mine, tuple) else ""))
    return problems


def edit_link_problems(site: Site) -> list[str]:
    """Every page of the book links to its own source."""
    problems = []
    for path, soup in site.pages.items():
        source = site.source(path)
        link = soup.find("a", rel="edit")
        if source is None:
            continue
        expected = f"/docs/{source.relative_to(site.docs).as_posix()}"
        if not link or not link["href"].endswith(expected):
            problems.append(
                site.problem(path, f"the edit link is {link and link['href']}, and should end in {expected}")
            )
    return problems


def tooltip_problems(site: Site, tooltips: dict[str, set[str]]) -> list[str]:
    """Terms without an entry of the glossary (``tooltips``: the entries by language), or none at all."""
    problems = []
    found = {"ko": 0, "en": 0}
    for path, soup in site.pages.items():
        for term in soup.find_all("abbr"):
            found[language_of(path)] += 1
            if term.get("title", "") not in tooltips[language_of(path)]:
                what = f"the tooltip of {term.get_text()} is no entry of docs/glossary.yml: {term.get('title')!r}"
                problems.append(site.problem(path, what))
    return problems + [
        f"no page in {language} has a single tooltip; see book/glossary.py" for language in found if not found[language]
    ]


CHECKS = (
    broken_links,
    foreign_loads,
    missing_alternatives,
    duplicate_ids,
    leftover_markup,
    incomplete_formulas,
    head_problems,
    heading_differences,
    edit_link_problems,
)
