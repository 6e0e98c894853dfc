"""How long a page takes to read, and what is counted for it."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from book.source import minutes
from book.source.parser import parse

MODULE = """\
# --8<-- [start:one]
def one():

    return 1
# --8<-- [end:one]

# --8<-- [start:two]
a = 1
b = 2
# --8<-- [end:two]
"""
EXAMPLES = """\
<!-- --8<-- [start:first] -->
```python
print(1)

print(2)
```

<!--pytest-codeblocks:expected-output-->

```text
1
2
3
```
<!-- --8<-- [end:first] -->

<!-- --8<-- [start:silent] -->
```python
x = 1
```

```python
y = 2
```
<!-- --8<-- [end:silent] -->
"""
OUTPUT = """\
<!-- --8<-- [start:twice] -->
```python
print(1)
```

```text
1
```

```text
2
3
```
<!-- --8<-- [end:twice] -->
"""


@pytest.fixture
def measure(tmp_path):
    """The length of a page that is written as these lines."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "m.py").write_text(MODULE)
    (tmp_path / "part" / "m.md").write_text(EXAMPLES)
    (tmp_path / "part" / "o.md").write_text(OUTPUT)

    def of(*lines: str, language: str = "en") -> minutes.Length:
        path = tmp_path / "page.md"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return minutes.length(parse(path, language, "part/page.md", tmp_path), tmp_path)

    return of


def test_words_are_what_has_a_letter_or_a_digit():
    assert minutes.words("Two words, and $x$ – 3 (of them): | a | b |") == 9
    assert minutes.words("---|---") == 0 and minutes.words("") == 0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["# A title {#a}", "", "Three more words."], 5),
        (["One $x + y$ and `a b c` here."], 5),
        (["[Two words](page.md#section) and ![an image](a.svg)"], 3),
        (["| a | b |", "|---|---|", "| 1 | 2 |"], 4),
        (["A mark.[^n]", "", "[^n]: Not read here."], 2),
        (["/// note | A title", "Two words.", "///"], 4),
        (["/// proof | P", "Two words.", "///"], 3),
        (["/// solution | S", "One word more.", "///"], 2),
        (["/// listing | S", "One word more.", "///"], 2),
        (["//// exercise | E", "Not read.", "", "/// solution | S", "One word more.", "///", "////"], 0),
        (["//// note | N", "/// listing | L", "One.", "///", "More.", "////"], 3),
        (["Two words.", "", "## Exercises {#exercises}", "Not read.", "", "### More {#more}", "Nor this."], 2),
        (["## Sources {#sources}", "Not read.", "", "## More {#more}", "Two words."], 3),
        (["## Questions {#questions}", "Not read."], 0),
        (["## Exercise {#exercise}", "Two words."], 3),
        (["$$", "x = y", "$$"], 0),
    ],
)
def test_words_that_are_read(measure, lines, words):
    assert measure(*lines).words == words


@pytest.mark.parametrize(
    ("lines", "code", "outputs", "starts"),
    [
        (["", "```python", '--8<-- "part/m.py:one"', "", "", '--8<-- "part/m.py:two"', "```"], [4], [0], [2]),
        (["```sh", "ls", "", "cd", "```"], [2], [0], [1]),
        (["```python", '--8<-- "part/m.py"', "```"], [4], [0], [1]),
        (['--8<-- "part/m.md:first"'], [2], [3], [1]),
        (['--8<-- "part/m.md:silent"'], [1, 1], [0, 0], [1, 1]),
        (['--8<-- "part/o.md:twice"'], [1], [1], [1]),
        (['--8<-- "part/m.md:none"', "", '--8<-- "part/none.md:first"'], [], [], []),
    ],
)
def test_code_that_is_shown(measure, lines, code, outputs, starts):
    listings = measure(*lines).listings
    assert [len(one.code) for one in listings] == code
    assert [one.output for one in listings] == outputs
    assert [one.line for one in listings] == starts


def test_a_listing_has_its_lines(measure):
    (one,) = measure("```python", '--8<-- "part/m.py:one"', "```").listings
    assert one.code == ("def one():", "    return 1")


def test_code_of_the_book_in_an_opening_stands_folded_below_its_output(measure, tmp_path):
    code = ["from snippets.part import m", *(f"x{i} = {i}" for i in range(minutes.SHORT))]
    example = ["<!-- --8<-- [start:one] -->", "```python", *code, "```", "", "```text", "1", "2", "```"]
    (tmp_path / "part" / "first.md").write_text("\n".join([*example, "<!-- --8<-- [end:one] -->", ""]))
    include = '--8<-- "part/first.md:one"'
    length = measure(include, "", "/// short | S", "So.", "///", "", include)
    assert [one.share for one in length.listings] == [0.5, 1]
    assert [one.output for one in length.listings] == [2, 2]
    assert [one.line for one in length.visible] == [7]
    assert [one.share for one in measure(include, "", "No answer.", "", include).listings] == [1, 1]


def test_what_is_folded_counts_half_and_an_exercise_nothing(measure):
    include = '--8<-- "part/m.md:first"'
    length = measure(include, "", "/// listing | L", include, "///", "", "/// exercise | E", include, "///")
    assert [one.share for one in length.listings] == [1, 0.5, 0]
    assert [one.line for one in length.visible] == [1]
    assert length.minutes == pytest.approx(0.3 + 0.5 / 200)  # two lines and half of two, and half of its title
    fence = ["```python", '--8<-- "part/m.py:two"', "```"]
    assert [one.share for one in measure("/// solution | S", *fence, "///").listings] == [0.5]


def test_a_minute_has_words_of_its_language():
    english, korean = (minutes.Length(260, (), 0, language) for language in ("en", "ko"))
    assert english.minutes == 1.3 and korean.minutes == 2
    listing = minutes.Listing(1, ("a",) * 30, 0, 1)
    assert minutes.Length(200, (listing, listing), 0, "en").minutes == 7


def test_the_share_of_code_in_what_can_be_seen(measure):
    assert measure("Words only.").code == 0
    twelve, example = " ".join(["word"] * 12), '--8<-- "part/m.md:first"'
    assert measure(example).code == pytest.approx(2 / 5)  # it prints three lines
    assert measure(example, "", twelve).code == pytest.approx(2 / 6)
    assert measure(example, "", twelve, language="ko").code == pytest.approx(2 / 6.5)
    assert measure(example, "", "![A](a.svg)").code == pytest.approx(2 / 17)
    assert measure(example, "", "$$", "x", "y", "$$").code == pytest.approx(2 / 7)
    folded = ["/// listing | -", twelve, "", example, "", "![A](a.svg)", "", "$$", "x", "$$", "///"]
    assert measure(example, "", *folded).code == pytest.approx(2 / 5)


def test_folded_imports_are_not_read(measure):
    imports = ["import torch", "from torch import (", "    Tensor,", ")"]

    def share(*lines: str, folded: bool = True) -> float:
        fence = ["```python", *lines, "```"]
        (listing,) = measure(*(["/// listing | -", *fence, "///"] if folded else fence)).listings
        return listing.share

    assert (share(*imports), share(*imports, "x = 1"), share("import by hand")) == (0, 0.5, 0.5)
    assert share(*imports, folded=False) == 1, "whoever sees them reads them"


@pytest.mark.parametrize(
    ("exact", "said"), [(0, 1), (0.2, 1), (1, 1), (1.2, 2), (14.9, 15), (15, 15), (15.0000001, 15)]
)
def test_minutes_are_said_without_a_fraction(exact, said):
    assert minutes.rounded(exact) == said


def test_a_page_says_under_its_title_how_long_it_takes():
    korean, english = (minutes.Length(1000, (), 0, language) for language in ("ko", "en"))
    article = "<h1>A</h1><p>x</p><h1>B</h1>"
    told = minutes.below_title(article, english)
    assert told == '<h1>A</h1>\n<p class="minutes" data-search-exclude>5-minute read</p><p>x</p><h1>B</h1>'
    assert "읽는 데 8분쯤" in minutes.below_title(article, korean)


def test_somebody_who_writes_can_ask():
    with redirect_stdout(io.StringIO()) as output:
        minutes.main(["attention/masks"])
    korean, english = output.getvalue().splitlines()
    for told, language in ((korean, "ko"), (english, "en")):
        first = rf"{language} attention/masks: \d+\.\d minutes \(\d+ words, \d+ lines of code\); "
        assert re.fullmatch(first + r"\d+% of .* has \d+ lines", told)


def test_a_file_that_is_changed_is_read_again(measure, tmp_path):
    lines = ["```python", '--8<-- "part/m.py:two"', "```"]
    assert len(measure(*lines).listings[0].code) == 2
    path: Path = tmp_path / "part" / "m.py"
    path.write_text(MODULE.replace("b = 2", "b = 2\nc = 3"))
    assert len(measure(*lines).listings[0].code) == 3


@pytest.mark.parametrize(
    "time, korean, english",
    [
        (9, "9분", "9 min"),
        (59, "59분", "59 min"),
        (60, "1시간", "1 h"),
        (61, "1시간 5분", "1 h 5 min"),
        (117, "2시간", "2 h"),
        (241, "4시간 5분", "4 h 5 min"),
    ],
)
def test_a_long_time_is_told_in_hours(time, korean, english):
    said = {"ko": korean, "en": english}
    assert {language: minutes.spoken(time, language) for language in said} == said
