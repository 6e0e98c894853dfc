"""The feed of changes."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import pytest

from book import AUTHOR
from book.finish import feed
from book.problems import BookError

ADDRESS = "https://book.example/en/appendix/changes/"
PAGE = """<h1 id="changes">Changes</h1>
<p>What a reader would notice.</p>
<h2 id="new">2026-11-22: New &amp; <code>old</code><a class="headerlink" href="#new" title="Link">#</a></h2>
<p>A <a href="../../families/#gpt">part</a>, a <a href="https://host.example/x">link</a>
and an <abbr title="what it means">encoder</abbr>.</p>
<h2 id="first">2026-10-01: First</h2>
<p>Pages.</p>
"""


def test_each_section_is_an_entry_with_its_day():
    new, first = feed.entries(PAGE, ADDRESS)
    assert (new.address, new.day, new.title) == (f"{ADDRESS}#new", date(2026, 11, 22), "New & old")
    assert first == feed.Entry(f"{ADDRESS}#first", date(2026, 10, 1), "First", "<p>Pages.</p>")


def test_an_entry_can_be_read_elsewhere():
    content = feed.entries(PAGE, ADDRESS)[0].content
    assert 'href="https://book.example/en/families/#gpt"' in content and 'href="https://host.example/x"' in content
    assert "an encoder." in content and "Pages" not in content


@pytest.mark.parametrize("heading", ["New", "22 November: New", "2026-13-01: New", "2026-11-22:"])
def test_an_entry_without_a_day_is_refused(heading):
    with pytest.raises(BookError, match="appendix/changes.md.*does not begin with a day"):
        feed.entries(f'<h2 id="new">{heading}</h2>', ADDRESS)


def test_the_feed_has_what_atom_requires():
    """RFC 4287, 4.1.1 and 4.1.2."""
    about = {"title": "A <book>", "subtitle": "On it", "language": "en"}
    text = feed.atom(feed.entries(PAGE, ADDRESS), home="https://book.example/en/", **about)
    assert text.startswith("<?xml version='1.0' encoding='utf-8'?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"")
    root = ElementTree.fromstring(text.encode("utf-8"))
    name = {"a": feed.ATOM}
    assert root.tag == f"{{{feed.ATOM}}}feed" and root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    assert [root.findtext(f"a:{tag}", None, name) for tag in ("id", "title", "subtitle", "updated")] == [
        "https://book.example/en/", "A <book>", "On it", "2026-11-22T00:00:00Z",
    ]  # fmt: skip
    assert root.findtext("a:author/a:name", None, name) == AUTHOR
    assert {link.get("rel"): link.get("href") for link in root.findall("a:link", name)} == {
        "self": "https://book.example/en/changes.xml",
        "alternate": "https://book.example/en/",
    }
    items = root.findall("a:entry", name)
    found = [[item.findtext(f"a:{tag}", None, name) for tag in ("id", "title", "updated")] for item in items]
    assert found == [
        [f"{ADDRESS}#new", "New & old", "2026-11-22T00:00:00Z"],
        [f"{ADDRESS}#first", "First", "2026-10-01T00:00:00Z"],
    ]
    assert items[0].find("a:link", name).attrib == {"rel": "alternate", "href": f"{ADDRESS}#new", "type": "text/html"}
    content = items[0].find("a:content", name)
    assert content.get("type") == "html" and content.text.startswith("<p>A <a ")
