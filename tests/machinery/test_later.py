"""What is put off comes back in its place, whole, and nothing else of a page changes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown import Markdown

from book.markdown.later import PLACEHOLDER, Later, at_once

HTML = ["<b>one</b>", '<svg><path d="M 0\\g<0>"/></svg>', "", '<x-later n="0"></x-later>', "한글\n&amp;", r"\1 \\"]


def test_what_is_put_off_comes_back_where_it_was_put():
    later = Later()
    first, second = (later.put_off(html) for html in ("<b>one</b>", "<i>two</i>"))
    assert "one" not in first and first != second
    assert later.put_in(f"<p>{second}, {first} and {second}</p>") == "<p><i>two</i>, <b>one</b> and <i>two</i></p>"


def test_a_page_may_have_hundreds():
    later = Later()
    page = " ".join(later.put_off(f"<b>{number}</b>") for number in range(300))
    assert later.put_in(page) == " ".join(f"<b>{number}</b>" for number in range(300))


def test_its_words_stand_in_for_it():
    element = Later().put_off("<b>one</b>", "1 &lt; 2")
    assert re.sub("<[^>]*>", "", element) == "1 &lt; 2" and re.sub("<[^>]*>", "", Later().put_off("<b>one</b>")) == ""
    assert PLACEHOLDER.fullmatch(element), "one element, and nothing beside it"


def test_a_page_without_anything_put_off_stays_as_it_is():
    later = Later()
    later.put_off("one")
    for page in ("", "<p>words</p>", "<x-later>words</x-later>", '<x-later n="a"></x-later>', "x-later 0"):
        assert later.put_in(page) == page


def test_each_build_has_its_own():
    first, second = Later(), Later()
    elements = first.put_off("one"), second.put_off("two")
    assert first.put_in(elements[0]) == "one" and second.put_in(elements[1]) == "two"


def test_markdown_leaves_it_alone():
    later = Later()
    element = later.put_off("<b>*one*</b>", "a &amp; b")
    assert later.put_in(Markdown().convert(f"So {element} *is*.")) == "<p>So <b>*one*</b> <em>is</em>.</p>"


def test_code_waits_for_its_colours_in_one_piece():
    later = Later()
    page = Markdown(extensions=["pymdownx.superfences"]).convert("```python\nif x < 2:\n    y = 'a'\n```\n\n`y`")
    waiting = later.put_off_colours(page)
    assert page.count("<span") > 5 and waiting.count("<span") == 1 and ">if x &lt; 2:\n    y = 'a'\n<" in waiting
    assert later.put_in(waiting) == page


def test_without_a_build_nothing_is_put_off():
    assert at_once("<b>one</b>") == at_once("<b>one</b>", "words") == "<b>one</b>"


@given(
    st.lists(st.tuples(st.sampled_from(HTML), st.sampled_from(["", "words", "&lt;"]), st.text("ab<>\n", max_size=4)))
)
def test_whatever_is_put_off_nothing_is_lost_and_the_order_stays(parts):
    later = Later()
    page = "".join(later.put_off(html, words) + between for html, words, between in parts)
    assert later.put_in(page) == "".join(html + between for html, _, between in parts)
