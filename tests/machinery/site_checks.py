"""Checks on a built site: each takes a ``Site`` and returns its problems, one line each.

The tests of the real site expect no problem. ``tests/machinery/test_site.py`` also gives every check a
broken site and expects it to speak up. What can be seen in the source, ``book/checks`` says, and sooner.
"""

from __future__ import annotations

import functools
import gzip
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import html5lib
from bs4 import BeautifulSoup, Tag

from book import ROOT
from book.markdown import touch

#: A page that sends its reader to another one.
LEADS_ON = '<meta http-equiv="refresh"'


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
        """Every HTML file that is read, parsed as far as it is ``lean``, by its path below the site's root."""
        if not self._pages:
            for path in sorted(self.directory.rglob("*.html")):
                text = lean(path.read_text(encoding="utf-8"))
                if LEADS_ON in text:
                    continue
                self._pages[path.relative_to(self.directory).as_posix()] = BeautifulSoup(text, "html.parser")
        return self._pages

    @property
    def moved(self) -> dict[str, BeautifulSoup]:
        """What stands at old addresses (book/finish/moved.py), by its path."""
        texts = {path: path.read_text(encoding="utf-8") for path in sorted(self.directory.rglob("*.html"))}
        return {
            path.relative_to(self.directory).as_posix(): BeautifulSoup(text, "html.parser")
            for path, text in texts.items()
            if LEADS_ON in text
        }

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


def lean(html: str) -> str:
    """A page without the elements that Pygments colours code with, and those that KaTeX draws formulas with, as far as
    they are closed: most of a page, in which there is nothing to check."""
    html = re.sub(r"<pre\b.*?</pre>", lambda code: re.sub(r"</?span\b[^>]*>", "", code[0]), html, flags=re.S)
    pieces, done = [], 0
    for opening in re.finditer(r'<span class="katex-html"[^>]*>', html):
        depth = 1
        for tag in re.compile(r"<(/?)span\b[^>]*>").finditer(html, opening.end()):
            depth += -1 if tag[1] else 1
            if not depth:
                pieces.append(html[done : opening.end()])
                done = tag.start()
                break
    return "".join([*pieces, html[done:]])


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
            elif fragment.startswith(touch.STATE) and site.pages[file].select("button.touch"):
                continue  # the figure there opens with it
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


def duplicate_ids(site: Site) -> list[str]:
    problems = []
    for path, soup in site.pages.items():
        seen: set[str] = set()
        for tag in soup.find_all(id=True):
            if tag["id"] in seen:
                problems.append(site.problem(path, f'the id "{tag["id"]}" occurs twice; rename one', tag["id"]))
            seen.add(tag["id"])
    return problems


#: Signs of Markdown, none of which this book writes for a reader outside code and formulas.
LEFT = re.compile(
    r"\$|\*|`|\\[(\[]|--8<--|^/{3,}|\{ *[#.:][\w-]+ *\}|<!--|\[\^|\] ?\(|(?<!\w)_(?=\w)|^\|", re.MULTILINE
)


def leftover_markup(site: Site) -> list[str]:
    """Source text that some extension should have turned into something else."""
    problems = []
    for path, soup in site.pages.items():
        for text in (soup.article or soup).find_all(string=True):
            if not (marks := LEFT.findall(text)):  # as nearly always, and to look for parents takes long
                continue
            if text.find_parent(["code", "pre", "script", "style", "annotation", "svg", "math"]):
                continue
            for mark in marks:
                what = f'"{mark}" is still in the text: "{text.strip()[:60]}"; mind empty lines and spaces around it'
                problems.append(
                    site.problem(path, what, text.strip().splitlines()[0][:40] if text.strip() else "", mark)
                )
    return problems


def wrong_tags(site: Site) -> list[str]:
    """Tags that are not closed, or close nothing: a browser guesses what was meant."""
    problems = []
    for path in site.pages:
        text = (site.directory / path).read_text(encoding="utf-8")
        text = text[text.find("<article") : text.rfind("</article>") + len("</article>")]  # the rest is the theme's
        text = re.sub(r"<(svg|math|pre)\b.*?</\1>", "", lean(text), flags=re.S)  # written by programs, and long
        parser = html5lib.HTMLParser()
        parser.parseFragment(text)
        for (line, column), code, names in parser.errors:
            before = text.split("\n")[line - 1][:column] if line else ""
            words = re.sub(r"<[^>]*>", "\n", before).strip().splitlines()
            what = f"{code} {names.get('name', '')} in the HTML, at …{before[-60:]}; close each tag once"
            problems.append(site.problem(path, what, words[-1].strip()[:40] if words else ""))
    return problems


ADDRESSES = {"action", "data", "formaction", "href", "src", "xlink:href"}
#: What runs or loads something, and has no place in the text of a page.
RUNS = ["applet", "base", "embed", "form", "frame", "iframe", "link", "meta", "object", "script", "style"]


def scripts(site: Site) -> list[str]:
    """What could run in a reader's browser and stands in a text, as nothing of the theme does."""
    problems = []
    for path, soup in site.pages.items():
        for article in soup.find_all("article"):
            for tag in article.find_all(RUNS):
                problems.append(site.problem(path, f"<{tag.name}> stands in the text; remove it", f"<{tag.name}"))
        for tag in soup.find_all(True):
            for name, value in tag.attrs.items():
                if name.startswith("on"):
                    problems.append(site.problem(path, f"{name} of <{tag.name}> runs a script; remove it", name))
                elif name in ADDRESSES and tag.name != "image":  # a drawing may hold a picture
                    scheme = re.sub(r"[\s\x00-\x1f]", "", value).partition(":")[0].lower()
                    if scheme in {"javascript", "vbscript", "data"}:
                        what = f'{name}="{value[:40]}" of <{tag.name}> runs a script or hides what it holds; remove it'
                        problems.append(site.problem(path, what, value[:40]))
    return problems


def incomplete_formulas(site: Site) -> list[str]:
    """Formulas without their shape for the eye, or without MathML for a screen reader."""
    problems = []
    for path, soup in site.pages.items():
        for number, formula in enumerate(soup.find_all(class_="formula"), 1):
            if not formula.select_one(".katex-html") or not formula.select_one(".katex-mathml math"):
                what = f"formula {number} lacks its HTML or its MathML: {formula.get_text()[:60]!r}; see book/markdown"
                problems.append(site.problem(path, what))
    return problems


def head_problems(site: Site) -> list[str]:
    """Language, title, description, canonical address and alternates of every page."""
    problems = []
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
        f"no page in {language} has a single tooltip; see book/source/glossary.py"
        for language in found
        if not found[language]
    ]


def missing_terms(site: Site, ids: set[str]) -> list[str]:
    """Entries of the glossary that its table lacks."""
    problems = []
    for path in ("appendix/glossary/index.html", "en/appendix/glossary/index.html"):
        found = {tag["id"] for tag in site.pages[path].find_all(id=True)} if path in site.pages else set()
        if missing := sorted(name for name in ids if f"term-{name}" not in found):
            what = f"the table lacks {', '.join(missing)}; does the page say <!-- glossary --> in a line of its own?"
            problems.append(site.problem(path, what, "glossary"))
    return problems


#: What a page may need before a phone shows its first words, in bytes: the page packed, its styles, its scripts.
MOST_PACKED, MOST_STYLES, MOST_SCRIPTS = 90_000, 90_000, 4_000
#: Elements of a page.
MOST_ELEMENTS = 14_000


def heavy_pages(site: Site) -> list[str]:
    """Pages that would keep the reader waiting: what Lighthouse measures follows from these."""
    problems = []
    for path, soup in site.pages.items():
        say = functools.partial(site.problem, path)
        for tag in soup.find_all("link", rel="stylesheet"):
            problems.append(say(f"waits for {tag['href']}; book/finish/styles.py puts styles into the page"))
        for tag in soup.find_all("script", src=True):
            if not (tag.has_attr("defer") or tag.has_attr("async")):
                problems.append(say(f"waits for {tag['src']}; let it run later, see docs/assets/js/book/theme.js"))
        for tag in soup.find_all("img"):
            if not (tag.get("loading") == "lazy" and tag.get("width") and tag.get("height")):
                problems.append(say(f"{tag.get('src', '')[:60]} needs its width and height, and loading=lazy"))
        text = (site.directory / path).read_text(encoding="utf-8")
        inline = [len(tag.get_text()) for tag in soup.find_all("script", src=False, type=False)]
        for what, measured, most in (
            ("bytes, packed", len(gzip.compress(text.encode())), MOST_PACKED),
            ("bytes of styles", sum(len(tag.get_text()) for tag in soup.find_all("style")), MOST_STYLES),
            ("bytes of scripts in the page", sum(inline), MOST_SCRIPTS),
            ("elements", len(re.findall("<[a-zA-Z]", text)), MOST_ELEMENTS),
        ):
            if measured > most:
                problems.append(say(f"has {measured:,} {what}, and may have {most:,}; make it lighter, or two pages"))
    return problems


def repeated_files(site: Site) -> list[str]:
    """What is published twice, or for nobody."""
    problems, seen = [], {}
    for path in sorted(path for path in site.directory.rglob("*") if path.is_file()):
        name = path.relative_to(site.directory).as_posix()
        if name.endswith((".map", ".css")):
            problems.append(f"{name}: no page loads this; see book/finish/assets.py")
        if "assets/" in name:
            first = seen.setdefault(path.read_bytes(), name)
            if first != name:
                problems.append(f"{name}: the same as {first}; both sites can load that, see book/finish/assets.py")
    return problems


#: How Python writes an object that was meant to be a word, as ``<built-in method clear of dict object at 0x7f…>``.
OBJECT = re.compile(r"<[\w .'-]+ at 0x[0-9a-f]+>|<class '[\w.]+'>|^(?:None|Undefined)$")


def objects_for_words(site: Site) -> list[str]:
    """Attributes that a template filled with an object of Python's, which screen readers read out."""
    advice = 'words come from book/strings, and words.clear is a method: write words["clear"]'
    return [
        site.problem(path, f"{name} of <{tag.name}> is {value}; {advice}")
        for path, soup in site.pages.items()
        for tag in soup.find_all(True)
        for name, value in tag.attrs.items()
        if isinstance(value, str) and OBJECT.search(value)
    ]


def moved_nowhere(site: Site) -> list[str]:
    """Old addresses that lead to no page, or to no heading of it."""
    problems = []
    for path, soup in site.moved.items():
        script = soup.head.find("script")
        sections = json.loads(script["data-sections"]).values()
        addresses = [
            script["data-page"],
            soup.body.a["href"],
            soup.head.find("link", rel="canonical")["href"],
            *sections,
        ]
        for address in addresses:
            url = urljoin(site.url(path), address)
            file, fragment = site.target(url), unquote(urlsplit(url).fragment)
            if file not in site.pages or (fragment and not site.pages[file].find(id=fragment)):
                problems.append(f"{path}: leads to {address}, where nothing is; see `moved` in mkdocs.yml")
        if site.target(urljoin(site.url(path), script["src"])) is None:
            problems.append(f"{path}: has no {script['src']}; see book/finish/moved.py")
    return problems


CHECKS = (
    broken_links,
    moved_nowhere,
    foreign_loads,
    duplicate_ids,
    leftover_markup,
    wrong_tags,
    scripts,
    incomplete_formulas,
    head_problems,
    edit_link_problems,
    heavy_pages,
    repeated_files,
    objects_for_words,
)
