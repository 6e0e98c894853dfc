"""The hours on the page for teachers: sums of what pages and exercises say that they take."""

from __future__ import annotations

import math
import re

import pytest

from book import LANGUAGES, ROOT
from book.artifacts import exercises as site
from book.artifacts import syllabus
from book.source import minutes
from book.source.parser import parse
from exercises.checking import read_parts

EXERCISES = read_parts()
WEEK = re.compile(r"(?m)^\| (\d+) \| <!-- hours --> \|(.*)\|(.*)\|$")


@pytest.fixture(scope="module", autouse=True)
def _kept():
    if site.stale():
        site.make_anew()


def weeks(language: str) -> list[tuple[str, str, str]]:
    """Number, what is read and what is built."""
    return WEEK.findall((ROOT / "docs" / language / "appendix" / "teaching.md").read_text(encoding="utf-8"))


def takes(page: str, language: str) -> int:
    source = parse(ROOT / "docs" / language / page, language, page)
    return minutes.rounded(minutes.length(source, ROOT / "snippets").minutes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_week_takes_what_its_pages_and_its_exercises_take(language):
    head = "| 1 | [a](../attention/masks.md), [b](../attention/masks.md#causal), [c](../attention/weights.md) "
    text = f"Before.\n\n{head}| `masks`, `shapes`, `no_file` | <!-- hours --> |\n"
    text += "| 2 | [d](../block/index.md) | | <!-- hours --> |\n"
    shown = syllabus.with_hours(f"{text}| All | | | <!-- hours --> |\n\nAfter.", language)
    hours = re.findall(r"\| ([\d.]+)\xa0\+\xa0([\d.]+) \|", shown)
    block = [path.name for path in (ROOT / "docs" / language / "block").glob("*.md") if path.name != "index.md"]
    read = [
        takes("attention/masks.md", language) + takes("attention/weights.md", language),
        sum(takes(f"block/{name}", language) for name in block),
    ]
    built = [EXERCISES["attention/masks"].minutes + EXERCISES["attention/shapes"].minutes, 0]

    # a reader who adds up the rows has the last one
    rows = [[math.ceil(of / 30) / 2 for of in week] for week in zip(read, built, strict=True)]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    assert hours == [(f"{a:g}", f"{b:g}") for a, b in rows]
    assert shown.startswith("Before.\n\n| 1 | [a]") and shown.endswith("\n\nAfter.")
    assert syllabus.with_hours("| a | `masks` |", language) == "| a | `masks` |"


def test_what_says_no_time_takes_none_and_another_table_begins_anew():
    assert syllabus.read("[a](../inside.md), [b](../training/build-it-yourself.md), [c](../labs/index.md)", "en") == 0
    week = "| 1 | [a](../attention/masks.md) | `masks` | <!-- hours --> |"
    shown = syllabus.with_hours(f"{week}\n\n{week}\n| All | | | <!-- hours --> |", "en")
    assert len(set(re.findall(r"[\d.]+\xa0\+\xa0[\d.]+", shown))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_week_builds_is_explained_by_what_it_reads(language):
    assert [number for number, _, _ in weeks(language)] == [*map(str, range(1, 4)), *map(str, range(1, 13))]
    for number, read, built in weeks(language):
        files = re.sub(r"(?:capstone|capstones\)|종합 과제) `\w+`", "", built)
        for name in re.findall(r"`(\w+)`", files):
            (of,) = [e for e in EXERCISES.values() if e.name.partition("/")[2] == name and f"../{e.part}/" in read]
            assert f"../{of.page}.md" in read or f"../{of.part}/index.md" in read, (number, name)


def test_both_languages_build_the_same_and_have_the_exercises_with_a_budget():
    names = [[re.findall(r"`(\w+)`", built) for _, _, built in weeks(language)] for language in LANGUAGES]
    assert names[0] == names[1]
    assert {"incremental_bpe", "memory_budget"} <= set(sum(names[0][3:], []))
