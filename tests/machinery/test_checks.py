"""Every check of book/checks, tried on a little book with one thing broken."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import pytest
from markdown import Markdown

from book.checks.every import CHECKS, FIRST, Problem, check_pages
from book.checks.files import LARGEST_PICTURE
from book.checks.readable import LARGEST_PAGE
from book.markdown.terms import GlossaryExtension
from book.source import glossary
from book.source.pages import Book
from tests.machinery.little_book import LITTLE_BOOK, copy_machinery
from tests.machinery.test_seeded import SEEDED
from tests.machinery.test_seeded_words import SEEDED as IN_WORDS

HOME, GLOSSARY, FIGURE_PY = "docs/en/index.md", "docs/glossary.yml", "snippets/figures/part/doubled.py"
CSS, KEYWORDS = "docs/assets/css/book.css", "docs/keywords.yml"
ASKED = "docs/questions/labs.yml"
KO, EN, MD, PY = "docs/ko/page.md", "docs/en/page.md", "snippets/part/doubling.md", "snippets/part/doubling.py"
FENCE = '```python\n--8<-- "part/doubling.py:double"\n```'
EXAMPLE = '--8<-- "part/doubling.md:three"'
NOTE = "[^why]: By"
BODY = LITTLE_BOOK[MD].split("[start:three] -->\n")[1].split("<!-- --8<-- [end")[0]
FIGURE = "![A line through the origin](assets/figures/part/doubled.svg)"

# check, file, what stands there, what is put there instead ("" for neither: the file is removed),
# where the problem is reported (a file, and text of its line), and part of what is said
BROKEN = [
    (
        "in_the_words_of_the_page",
        "snippets/part/doubling.py",
        "Twice ``x``.",
        "The double of ``x``.",
        ("snippets/part/doubling.py", "The double of"),
        "comments.ko.yml has no Korean for this",
    ),
    ("unread_forms", EN, NOTE, "$$x^2$$\n\n" + NOTE, (EN, "$$x^2"), "between two lines that hold $$"),
    ("unread_forms", EN, NOTE, "> ```python\n> print(1)\n> ```\n\n" + NOTE, (EN, "> ```python"), "start a fence"),
    ("unread_forms", EN, NOTE, "- ```python\n  print(1)\n\n" + NOTE, (EN, "- ```python"), "start a fence"),
    ("unread_forms", EN, NOTE, "    print(1)\n\n" + NOTE, (EN, "    print(1)"), "takes this for code"),
    ("unread_forms", EN, EXAMPLE, '-8<- "part/doubling.md:three"', (EN, "-8<- "), "write an include as"),
    ("unread_forms", EN, EXAMPLE, "--8<-- 'part/doubling.md:three'", (EN, "--8<-- '"), "write an include as"),
    ("unread_forms", EN, "## A sum {#sum}", "A sum\n-----", (EN, "-----"), "write a heading as"),
    ("unread_forms", EN, NOTE, "[a]: page.md\n\n" + NOTE, (EN, "[a]: "), "address into the link itself"),
    ("unread_forms", EN, "A line through", "A [long] line through", (EN, "[long]"), "no brackets in an alternative"),
    ("unread_forms", EN, "| 2 | 4 |", "| 2 |", (EN, 39), "this row has 1 cells and the first one 2"),
    (
        "unread_forms",
        EN,
        "| Number | Twice |\n|---|---|",
        "Number | Twice\n---|---",
        (EN, "---|---"),
        "start every row",
    ),
    ("unread_forms", EN, NOTE, "```text\n\n" + NOTE, (EN, "```text"), "this fence never ends"),
    ("unread_forms", EN, "always}\n$$", "always}", (EN, "$$"), "this formula never ends"),
    ("unread_forms", EN, "///\n////", "///", (EN, "//// exercise"), "this block never ends: add a line ////"),
    ("unread_forms", EN, "$4x$.\n///\n////", "$4x$.\n////\n///", (EN, 46), "the last one open is /// solution"),
    ("unread_forms", EN, "title: Twice", "title: [Twice", (EN, "description"), "the front matter is not YAML"),
    ("unread_forms", EN, "exercise.\n---\n", "exercise.\n", (EN, "---"), "the front matter never ends"),
    ("both_languages", EN, "", "", (KO, "---"), "write docs/en/page.md"),
    ("both_languages", KO, "", "", (EN, "---"), "write docs/ko/page.md"),
    ("both_languages", "mkdocs.yml", "page.md, ", "", (KO, "---"), "add page.md to `nav`"),
    (
        "both_languages",
        "mkdocs.yml",
        "labs/lab.md]",
        "labs/lab.md, more.md]",
        ("mkdocs.yml", "nav"),
        "names more.md, which does not",
    ),
    ("unwritten", EN, NOTE, "TODO Say why.\n\n" + NOTE, (EN, "TODO"), "still to be written: do what TODO asks for"),
    ("unwritten", KO, "수 $x$", "TODO 수 $x$", (KO, "TODO"), "still to be written"),
    ("unwritten", PY, "double", "TODO double", (PY, "TODO"), "still to be written, and in line"),
    ("on_the_map", EN, "title: Twice", "map: atention\ntitle: Twice", (EN, "map: "), "did you mean attention?"),
    ("front_matter", EN, "title: Twice\n", "", (EN, "---"), "has no title"),
    (
        "front_matter",
        KO,
        "description: 벡터를 두 배로 만들고 그림을 그리는 페이지입니다.\n",
        "",
        (KO, "---"),
        "has no description",
    ),
    (
        "front_matter",
        EN,
        "A page that doubles a vector, with two figures and an exercise.",
        "Short.",
        (EN, "---"),
        "6 char",
    ),
    ("front_matter", EN, "title: Twice", "title: A little book", (EN, "---"), "has the title of index.md"),
    ("headings", EN, "# Twice {#double}\n", "", (EN, "## A sum"), "exactly the first heading"),
    ("headings", EN, "## A sum", "# A sum", (EN, "# A sum"), "exactly the first heading"),
    ("headings", EN, "## A sum", "### A sum", (EN, "### A sum"), "leave none out"),
    ("headings", KO, "## 더하기 {#sum}", "## 더하기", (KO, "## 더하기"), "needs an id"),
    ("headings", KO, "## 더하기 {#sum}", "## 더하기 {#더하기}", (KO, "## 더하기"), "needs an id in plain letters"),
    ("headings", EN, "## A sum {#sum}", "## A sum {#double}", (EN, "## A sum"), "already stands in line 5"),
    ("typed_code", EN, FENCE, "```python\nprint(2)\n```", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, '```py title="x"\nprint(2)\n```', (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, "~~~ {.python}\nprint(2)\n~~~", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, FENCE, "    ```python\n    print(2)\n    ```", (EN, "print(2)"), "Python is typed into a page"),
    ("typed_code", EN, "```python\n", '```python title="x"\n', (EN, "```python"), "without options"),
    ("typed_code", EN, FENCE, "```\nprint(2)\n```", (EN, "```"), "say what this fence holds"),
    ("typed_code", EN, FENCE, "```numpy\nprint(2)\n```", (EN, "print(2)"), "Python is typed into a page"),
    ("includes", EN, ".py:double", ".py:treble", (EN, ":treble"), "has no section 'treble': it has double"),
    ("includes", EN, '"part/doubling.py:double"', '"part/doubling.py"', (EN, '"part/doubling.py"'), "has no section"),
    (
        "includes",
        KO,
        "part/doubling.md:three",
        "part/trebling.md:three",
        (KO, "trebling"),
        "did you mean part/doubling.md",
    ),
    (
        "includes",
        EN,
        FENCE,
        '--8<-- "part/doubling.py:double"',
        (EN, "doubling.py"),
        "put the include into a ```python fence",
    ),
    ("includes", EN, EXAMPLE, f"```python\n{EXAMPLE}\n```", (EN, "doubling.md"), "take it out of this one"),
    ("includes", EN, FENCE, '```markdown\n--8<-- "part/doubling.py:gone"\n```', (EN, ":gone"), "has no section 'gone'"),
    ("markers", MD, "<!-- --8<-- [end:three] -->\n", "", (MD, "[start:three]"), "never ends"),
    ("markers", PY, "# --8<-- [start:double]\n", "", (PY, "[end:double]"), "did not start"),
    ("markers", MD, "[start:three]", "[start:four]", (MD, "[end:three]"), "did not start"),
    ("markers", MD, "print(double(3))\n", "# --8<-- [start:inner]\n", (MD, "[start:inner]"), "inside three"),
    ("markers", MD, "three]", "step_1]", (MD, "[start:step_1]"), "say what it computes"),
    (
        "markers",
        PY,
        "# --8<-- [end:double]\n",
        "# --8<-- [end:double]\n# --8<-- [start:double]\n# --8<-- [end:double]\n",
        (PY, 11),
        "already starts in line 4",
    ),
    ("worked_examples", MD, "```python", "```py", (MD, "```py"), "only plain ```python and ```text"),
    ("worked_examples", MD, "```python", "```{.python}", (MD, "```{.python}"), "only plain ```python and ```text"),
    ("worked_examples", MD, "```python", "~~~python", (MD, "~~~python"), "only plain ```python and ```text"),
    ("worked_examples", MD, "<!--pytest-codeblocks:expected-output-->\n", "", (MD, "```text"), "would not be compared"),
    ("worked_examples", MD, "```python", "<!--pytest.mark.skip-->\n```python", (MD, "<!--pytest"), "as it stands"),
    (
        "worked_examples",
        MD,
        "<!--pytest-codeblocks:exp",
        "<!--pytest.mark.xfail-->\n\n<!--pytest-codeblocks:exp",
        (MD, "<!--pytest.mark.xfail"),
        "right above the ```python fence that raises",
    ),
    (
        "worked_examples",
        "snippets/labs/lab.md",
        "```python",
        "<!--pytest.mark.xfail-->\n\n```python",
        ("snippets/labs/lab.md", "<!--pytest.mark.xfail"),
        "remove this marker",
    ),
    (
        "worked_examples",
        MD,
        "```python",
        "<!--pytest-codeblocks:skip-->\n```python",
        (MD, "skip"),
        "remove this marker",
    ),
    (
        "worked_examples",
        MD,
        "# Worked examples: doubling\n",
        "# Doubling\n\nSome words.\n",
        (MD, "Some"),
        "in no section",
    ),
    ("worked_examples", MD, "```python", "Some words.\n\n```python", (MD, "Some words"), "prose belongs on the pages"),
    (
        "code_width",
        PY,
        '"""Twice ``x``."""',
        '"""' + 80 * "x" + '"""',
        (PY, "xxx"),
        "wider than a page: break the line at 84",
    ),
    (
        "everything_is_shown",
        KO,
        EXAMPLE,
        "",
        (MD, "[start:three]"),
        'no page in docs/ko shows this: include "part/doubling.md:three"',
    ),
    ("everything_is_shown", EN, FENCE, "", (PY, "[start:double]"), "no page in docs/en shows this"),
    (
        "everything_is_shown",
        EN,
        FIGURE,
        "",
        ("snippets/figures/part/doubled.py", 1),
        "no page in docs/en shows this figure",
    ),
    ("everything_is_shown", PY, "# --8<-- [", "# [", (PY, 1), "has no section, so no page can show it"),
    (
        "everything_is_shown",
        EN,
        EXAMPLE,
        f"```markdown\n{EXAMPLE}\n```",  # shown, but not run
        (MD, "[start:three]"),
        "no page in docs/en shows this",
    ),
    (
        "figures",
        EN,
        "figures/part/plain.svg",
        "figures/part/fancy.svg",
        (EN, "fancy"),
        "no snippets/figures/part/fancy.py",
    ),
    (
        "figures",
        EN,
        "/// figure-caption\nTwice.\n///\n",
        "",
        (EN, "doubled.svg"),
        "figure part/doubled needs a caption",
    ),
    ("alternative_texts", EN, "A line through the origin", "", (EN, "doubled.svg"), "needs an alternative text"),
    (
        "alternative_texts",
        KO,
        "원점을 지나서 올라가는 가파른 직선",
        "직선",
        (KO, "doubled.svg"),
        "needs an alternative text",
    ),
    (
        "alternative_texts",
        KO,
        "원점을 지나서 올라가는 가파른 직선",
        "A line through the origin",
        (KO, "doubled"),
        "in Korean",
    ),
    (
        "html",
        EN,
        "(assets/figures/part/plain.svg)",
        "(https://host.example/a.png)",
        (EN, "host"),
        "would be loaded from",
    ),
    ("html", EN, "(assets/figures/part/plain.svg)", "(//host.example/a.png)", (EN, "host"), "would be loaded from"),
    ("html", EN, "(assets/figures/part/plain.svg)", "(data:image/png,x)", (EN, "data:"), "would be loaded from"),
    ("html", EN, "Twice the", '<script src="x.js"></script>\nTwice the', (EN, "<script"), "does not belong"),
    ("html", KO, "수 $x$", '<iframe src="x"></iframe>\n수 $x$', (KO, "<iframe"), "does not belong on a page"),
    ("html", EN, "Twice the", "<span>Twice</span> the", (EN, "<span"), "<span> does not belong on a page"),
    (
        "html",
        EN,
        "Twice the",
        "<div hidden markdown>\nTwice the",
        (EN, "<div"),
        "<div hidden markdown> does not belong",
    ),
    (
        "touchable_figures",
        EN,
        "part/plain.svg)",
        "part/plain.svg){.touch}",
        (EN, "part/plain.svg"),
        "there is no docs/assets/js/touch/part/plain.js; write it, or remove {.touch}",
    ),
    (
        "touchable_figures",
        KO,
        "part/plain.svg)",
        "part/plain.svg){.tuch}",
        (KO, "{.tuch}"),
        "{.touch} and nothing else",
    ),
    ("html", EN, "Twice the", "</span>Twice the", (EN, "</span"), "</span> does not belong"),
    ("html", EN, "Twice the", "\\`<img onerror=x>\\` Twice the", (EN, "<img"), "does not belong"),
    (
        "html",
        EN,
        "Twice the",
        "<b title=`><script>alert(1)</script><b title=`> Twice the",
        (EN, "<b"),
        "does not belong",
    ),
    ("html", HOME, "The [next", "<div onfocus=alert(1) tabindex=0>The [next", (HOME, "<div"), "does not belong"),
    ("html", HOME, "The [next", '<p class="x" style="top: 0">The [next', (HOME, "<p"), "does not belong"),
    ("html", HOME, "The [next", '<div class="a" markdown>\nThe [next', (HOME, "<div"), "<div> is never closed"),
    ("html", HOME, "The [next", "</div>\nThe [next", (HOME, "</div"), "closes nothing"),
    ("html", EN, EXAMPLE, f"<!--\n{EXAMPLE}\n-->", (EN, "<!--"), "no reader sees a comment"),
    ("html", EN, "is $2x$.", "is **$2x$**{ onclick=alert(1) }.", (EN, "onclick"), "nothing else stands in braces"),
    (
        "html",
        EN,
        "# Twice {#double}",
        "# Twice {#double onclick=alert(1)}",
        (EN, "# Twice"),
        "nothing else stands in braces",
    ),
    ("plain_words", KO, "두 배의 두 배는", "두 배의 곱절은", (KO, "곱절"), "곱절: the book says 두 배"),
    ("plain_words", EN, "What is twice", "What is Twofold", (EN, "Twofold"), "twofold: the book says double"),
    ("keys", KEYWORDS, "page: [", "pages: [", (KEYWORDS, "pages:"), "there is no page pages: correct the path"),
    (
        "keys",
        KEYWORDS,
        "page#sum",
        "page#product",
        (KEYWORDS, "page#product"),
        "page has no heading with the id product",
    ),
    ("wording", KO, "벡터(vector)도", "벡터(vector)와 벡타도", (KO, "벡타"), "the book says 벡터"),
    ("wording", KO, "완만한 직선 하나", "완만한 벡타 하나", (KO, "완만한"), "the book says 벡터"),
    ("wording", KO, "description: 벡터를", "description: 벡타를", (KO, "---"), "the book says 벡터"),
    ("first_uses", KO, "벡터(vector)도", "벡터도", (KO, "벡터도"), "write 벡터(vector)"),
    ("first_uses", KO, "수 $x$의", "벡터 $x$의", (KO, "벡터 $x$"), "write 벡터(vector)"),
    (
        "languages",
        KO,
        "벡터(vector)도 마찬가지입니다.",
        "This holds for a 벡터(vector) too. " * 9,
        (KO, "This holds"),
        "write it in Korean",
    ),
    ("languages", EN, "The same holds for a vector.", "벡터도 마찬가지입니다.", (EN, "벡터도"), "write it in English"),
    (
        "languages",
        KO,
        "마찬가지입니다.",
        "마찬가지입니다.\n\nThe same holds here.",
        (KO, "The same"),
        "write it in Korean",
    ),
    ("languages", KO, "두 배.\n///", "Twice the number.\n///", (KO, "Twice the"), "write it in Korean"),
    ("languages", KO, "원점을 지나서 올라가는 가파른 직선", "A steep line", (KO, "A steep"), "write it in Korean"),
    ("languages", KO, "## 더하기", "## Sum", (KO, "## Sum"), "write it in Korean: ## Sum"),
    ("languages", KO, "| 네 배", "| Four times", (KO, "| Four"), "write it in Korean: Four times"),
    ("languages", KO, "| 풀이", "| Solution", (KO, "| Sol"), "write it in Korean: Solution"),
    ("languages", KO, "title: 두 배", "title: Twice it", (KO, "---"), "write it in Korean: Twice it"),
    (
        "languages",
        KO,
        "벡터를 두 배로 만들고 그림을 그리는 페이지입니다.",
        "A page that doubles.",
        (KO, "---"),
        "A page that",
    ),
    ("languages", KO, "{ 입니다}", "{ if it is}", (KO, "{ if"), "write it in Korean: if it is"),
    ("languages", KO, "{ 입니다}", "{ otherwise}", (KO, "{ other"), "write it in Korean: otherwise"),
    (
        "languages",
        KO,
        "마찬가지입니다.",
        "마찬가지입니다. The same holds here.",
        (KO, "The same"),
        "in Korean: The same",
    ),
    (
        "languages",
        EN,
        "for a vector.",
        "for a vector. 벡터도 마찬가지입니다.",
        (EN, "벡터도"),
        "write it in English: 벡터도",
    ),
    ("languages", EN, "{ always}", "{ 입니다}", (EN, "입니다"), "write it in English: 입니다"),
    ("languages", EN, "Twice.\n///", "두 배.\n///", (EN, "두 배."), "write it in English: 두 배."),
    ("languages", EN, "A line through the origin", "원점을 지나는 직선 하나", (EN, "원점"), "write it in English"),
    ("languages", EN, "| Four times", "| 네 배", (EN, "| 네"), "write it in English: 네 배"),
    ("languages", EN, "title: Twice", "title: 두 배", (EN, "---"), "write it in English: 두 배"),
    ("same_structure", EN, "{#sum}", "{#total}", (KO, "{#sum}"), "docs/en/page.md:27 heading ## {#total}"),
    ("same_structure", EN, "## A sum", "### A sum", (KO, "{#sum}"), "heading ### {#sum}"),
    ("same_structure", EN, "2x = x + x", "2x = x - x", (KO, 32), "docs/en/page.md:32 formula 2x=x-x"),
    (
        "same_structure",
        EN,
        EXAMPLE,
        "",
        (KO, EXAMPLE),
        "include part/doubling.md:three, but in docs/en/page.md:15 image",
    ),
    (
        "same_structure",
        EN,
        FENCE + "\n\n" + EXAMPLE,
        EXAMPLE + "\n\n" + FENCE,
        (KO, "doubling.py"),
        "in the same order",
    ),
    (
        "same_structure",
        KO,
        "figures/part/plain.svg",
        "figures/part/doubled.svg",
        (KO, 21),
        "image assets/figures/part/doubled.svg",
    ),
    ("same_structure", EN, "| 2 | 4 |\n", "", (KO, "| 수 |"), "table 3 × 2, but in docs/en/page.md:36 table 2 × 2"),
    ("same_structure", EN, "| Number | Twice |", "| Number | Twice | |", (KO, "| 수 |"), "table 3 × 3"),
    ("same_structure", EN, "//// exercise |", "//// note |", (KO, "//// exercise"), "block //// note"),
    (
        "same_structure",
        EN,
        "/// solution | Solution\n$4x$.\n///\n",
        "$4x$.\n",
        (KO, "/// solution"),
        "end of block //// exer",
    ),
    (
        "same_structure",
        EN,
        "What is twice the double?\n\n/// solution | Solution\n$4x$.\n///\n////",
        "What is twice the double?\n////\n\n/// solution | Solution\n$4x$.\n///",
        (KO, "/// solution"),
        "end of block //// exercise",
    ),
    ("same_structure", EN, "[^why]: By the definition of a sum.\n", "", (KO, "[^why]: "), "nothing more"),
    (
        "same_details",
        EN,
        "$2x$",
        "$3x$",
        (KO, "수 $x$"),
        "section double has the formula 2x, which docs/en/page.md:5 lacks",
    ),
    ("same_details", EN, "$2x$", "$2x$ or $3x$", (EN, "or $3x$"), "has the formula 3x, which docs/ko/page.md:5 lacks"),
    (
        "same_details",
        "docs/en/index.md",
        "page.md#double",
        "page.md#sum",
        ("docs/ko/index.md", "#double"),
        "link page.md#double",
    ),
    ("same_details", EN, "$x + x$.[^why]", "$x + x$.", (KO, "[^why]"), "has the footnote why"),
    (
        "links",
        "docs/en/index.md",
        "page.md#",
        "missing.md#",
        ("docs/en/index.md", "missing"),
        "leads to no page in docs/en",
    ),
    (
        "links",
        "docs/en/index.md",
        "#double",
        "#triple",
        ("docs/en/index.md", "triple"),
        "no anchor #triple: it has double, sum",
    ),
    (
        "links",
        "docs/en/index.md",
        "page.md#",
        "/page.md#",
        ("docs/en/index.md", "/page.md"),
        "is absolute: write the way",
    ),
    (
        "links",
        "docs/en/index.md",
        "page.md#",
        "../ko/page.md#",
        ("docs/en/index.md", "ko/"),
        "leads to no page in docs/en",
    ),
    ("footnotes", EN, "[^why]: By the definition of a sum.\n", "", (EN, "[^why]"), "there is no footnote why"),
    ("footnotes", EN, "$x + x$.[^why]", "$x + x$.", (EN, "[^why]: "), "nothing refers to the footnote why"),
    # what everything else is read from
    ("settings", "mkdocs.yml", "nav: [", "nav: [[", ("mkdocs.yml", 2), "this is not YAML"),
    ("settings", "mkdocs.yml", "labs/lab.md]", "3]", ("mkdocs.yml", 1), "`nav` holds 3"),
    ("entries", GLOSSARY, "avoid: [벡타]", "avoid: [벡타", (GLOSSARY, 7), "this is not YAML"),
    ("entries", GLOSSARY, "avoid: [벡타]", "avoid: 벡타", (GLOSSARY, "avoid"), "avoid is a list: write avoid: [벡타]"),
    ("entries", GLOSSARY, "avoid:", "avoids:", (GLOSSARY, "avoids"), "there is no field avoids"),
    ("entries", GLOSSARY, "  en: vector\n", "", (GLOSSARY, "- id"), "this entry lacks en"),
    ("entries", KEYWORDS, "[adding]", "adding", (KEYWORDS, "adding"), "the words of page#sum are a list"),
    ("entries", GLOSSARY, "en: vector", "en: no", (GLOSSARY, "en: no"), "en needs words"),
    ("entries", GLOSSARY, "mean_en: Numbers in a row.", "mean_en:", (GLOSSARY, "mean_en"), "mean_en needs words"),
    ("entries", GLOSSARY, "  en: vector\n", "  en: vector\n  en: row\n", (GLOSSARY, "en: row"), "en stands twice"),
    ("entries", GLOSSARY, "- id: vector\n  ko", "- vector\n- ko", (GLOSSARY, "- vector"), "an entry has the fields"),
    # files
    ("characters", EN, "Twice the", "\ufeffTwice the", (EN, "Twice the number"), "U+FEFF"),
    ("characters", EN, "---\ntitle", "\ufeff---\ntitle", (EN, 1), "byte order mark"),
    ("characters", EN, "Twice the", "Twice\u200b the", (EN, "the number"), "U+200B (ZERO WIDTH SPACE)"),
    ("characters", PY, "return", "return\u202e", (PY, "return"), "U+202E"),
    ("characters", PY, "Twice as", "Twice\x00 as", (PY, 1), "U+0000 (a control character)"),
    ("characters", EN, "Twice the", "Twice\u2028 the", (EN, 7), "U+2028"),
    ("characters", KO, "두 배의 두", unicodedata.normalize("NFD", "두 배의 두"), (KO, 42), "(NFC)"),
    ("characters", PY, "def double", ">>>>>>> other\ndef double", (PY, ">>>>>>>"), "is left of a merge"),
    ("characters", CSS, "@media", "<<<<<<< HEAD\n@media", (CSS, "<<<<<<<"), "is left of a merge"),
    ("characters", PY, "def double", "=======\ndef double", (PY, "====="), "is left of a merge"),
    ("style_sheets", CSS, "red;\n}", "red;", (CSS, ".a"), "still open in line 4"),
    ("style_sheets", CSS, "  }\n}\n", "  }\n", (CSS, "@media"), "never closed"),
    ("style_sheets", CSS, "red;\n}", "red;\n}\n}", (CSS, 4), "closes nothing"),
    # pages
    ("unread_forms", EN, "---\ntitle", "--- \ntitle", (EN, 1), "remove the spaces beside ---"),
    ("unread_forms", EN, "title: Twice", "title: \x07", (EN, 2), "the front matter is not YAML"),
    ("unread_forms", EN, "always}\n$$\n\n|", "always}\n$$\n\nWords.\n|", (EN, "| Number"), "more of the text above"),
    ("unread_forms", EN, "| 2 | 4 |\n", "| 2 | 4 |\nWords.\n", (EN, "Words."), "more of the table above"),
    ("unread_forms", EN, "for a vector.\n", "for a vector.\n- One\n", (EN, "- One"), "more of the text above"),
    ("unread_forms", EN, "for a vector.\n", "for a vector.\n1. One\n", (EN, "1. One"), "more of the text above"),
    ("unread_forms", EN, "## A sum", "##A sum", (EN, "##A"), "put a space"),
    (
        "unread_forms",
        EN,
        "/// solution | Solution\n",
        "/// solution | Solution\n    attrs:\n",
        (EN, "attrs"),
        "takes no options",
    ),
    ("both_languages", "mkdocs.yml", "page.md, ", "page.md, page.md, ", ("mkdocs.yml", "nav"), "names page.md twice"),
    ("front_matter", EN, "title: Twice", "title: Twice <b>", (EN, "---"), "has < in its title"),
    ("front_matter", EN, "a vector, with", 'a "vector", with', (EN, "---"), 'has " in its description'),
    (
        "front_matter",
        EN,
        "title: Twice",
        "title: Twice" + " and twice" * 6,
        (EN, "---"),
        "has a title of 65 characters",
    ),
    ("front_matter", EN, "title: Twice", "title: Doubled", (EN, "# Twice"), "the heading is not the title, Doubled"),
    ("nothing_empty", EN, "Twice.\n///", "///", (EN, "/// figure-caption"), "this figure-caption is empty"),
    ("nothing_empty", EN, "$4x$.\n///", "///", (EN, "/// solution"), "this solution is empty"),
    (
        "nothing_empty",
        EN,
        "## A sum",
        "## Empty {#empty}\n\n## A sum",
        (EN, "## Empty"),
        "nothing stands below this heading",
    ),
    ("nothing_empty", EN, "/// solution | Solution\n$4x$.\n///\n", "$4x$.\n", (EN, "//// exercise"), "has no solution"),
    ("nothing_empty", EN, "/// solution", "/// note", (EN, "//// exercise"), "has no solution"),
    (
        "parts_name_their_pages",
        "docs/en/labs/index.md",
        "[one](lab.md)",
        "one",
        ("docs/en/labs/index.md", 1),
        "does not lead to labs/lab.md: add a link [title](lab.md)",
    ),
    (
        "parts_name_their_pages",
        HOME,
        "[labs](labs/index.md)",
        "labs",
        (HOME, 1),
        "does not lead to labs/index.md: add a link [title](labs/index.md)",
    ),
    # code
    ("typed_code", EN, FENCE, FENCE + "\n\n```text\n6\n```", (EN, "```text"), "only ```sh is typed here"),
    ("typed_code", EN, FENCE, FENCE + "\n\n```sh {onclick=x}\nls\n```", (EN, "```sh"), "write this fence as ```sh"),
    (
        "markers",
        MD,
        BODY,
        "",
        (MD, "[start"),
        "is empty",
    ),
    (
        "definitions",
        PY,
        "# --8<-- [end:double]\n",
        "# --8<-- [end:double]\ndef treble(x):\n    return x\n",
        (PY, "def treble"),
        "no reader sees this",
    ),
    ("definitions", PY, '"""\n\n\n#', '"""\nimport math\n\n\n#', (PY, "import math"), "no reader sees this"),
    ("pasted_in_order", PY, "def double(x)", "def double(x: Tensor)", (KO, "```python"), "page defines Tensor"),
    ("definitions", PY, "return 2 * x", "return 2 *", (PY, "return"), "this is not Python"),
    ("labels", FIGURE_PY, "set_xlabel(text)", 'set_xlabel("a number")', (FIGURE_PY, "set_xlabel"), "put it into TEXT"),
    ("labels", FIGURE_PY, "set_xlabel(text)", 'set(xlabel=f"number {1}")', (FIGURE_PY, "set("), "put it into TEXT"),
    (
        "labels",
        FIGURE_PY,
        "set_xlabel(text)",
        'text(0, 0, "0.72")',
        (FIGURE_PY, ".text("),
        "holds a number: compute it",
    ),
    ("labels", FIGURE_PY, "[0, double(1)]", "[0, 1, -2.5]", (FIGURE_PY, "ax.plot"), "these numbers are typed in"),
    # words
    ("leftovers", EN, "number added", "**number added", (EN, "**number"), "this * has no second one"),
    ("leftovers", EN, "number added", "`number added", (EN, "`number"), "this ` has no second one"),
    ("leftovers", EN, "is $2x$.", "is $2x.", (EN, "is $2x"), "this $ has no second one"),
    ("leftovers", EN, "is $2x$.", "is $ 2x$.", (EN, "is $ 2x"), "this $ has no second one"),
    ("leftovers", KO, "벡터(vector)도", "벡터(vector)는 _미래_에도", (KO, "_미래_"), "write *…*"),
    ("leftovers", HOME, "[next page](page", "[next page] (page", (HOME, "[next"), "no space between the ] and ("),
    ("leftovers", HOME, "[next page](page", "[](page", (HOME, "[](page"), "this link has no text"),
    (
        "wording",
        "snippets/figures/part/plain.py",
        '"ko": "수"',
        '"ko": "벡타"',
        ("snippets/figures/part/plain.py", "벡타"),
        "says 벡터",
    ),
    ("wording", GLOSSARY, "수를 늘어놓은 것.", "벡타라고도 하는 것.", (GLOSSARY, "- id"), "the book says 벡터"),
    ("wording", KO, "{ 입니다}", "{ 벡타입니다}", (KO, "벡타"), "the book says 벡터"),
    (
        "wording",
        KO,
        "벡터(vector)도",
        "벡터(vector)와 " + unicodedata.normalize("NFD", "벡타도"),
        (KO, 30),
        "the book says 벡터",
    ),
    ("meanings", GLOSSARY, "Numbers in a row.", "Numbers | in a row.", (GLOSSARY, "- id"), "vector holds |"),
    ("meanings", GLOSSARY, "Numbers in a row.", "<img onerror=x>", (GLOSSARY, "- id"), "vector holds <"),
    *(
        ("meanings", GLOSSARY, "Numbers in a row.", f"'{text}'", (GLOSSARY, "- id"), f"vector holds {sign}")
        for text, sign in [
            *(("[a](b)", "]("), ("$x in a row", "$"), ("a{: .b}", "{")),
            *(("&#60;a", "&#60;"), ("&lt;a", "&lt;"), (r"a \text b", "\\")),
        ]
    ),
    ("meanings", GLOSSARY, "  avoid:", "  names: ['<b>']\n  avoid:", (GLOSSARY, "- id"), "vector holds <"),
    ("meanings", GLOSSARY, "  avoid:", "  forms: ['[a](b)']\n  avoid:", (GLOSSARY, "- id"), "vector holds ]("),
    ("meanings", GLOSSARY, "id: vector", "id: a vector", (GLOSSARY, "- id"), "becomes an address"),
    (
        "meanings",
        GLOSSARY,
        "- id: vector",
        "- {id: vector, ko: 열, en: row, mean_ko: 열, mean_en: Row.}\n- id: vector",
        (GLOSSARY, 2),
        "already stands in line 1",
    ),
    ("meanings", GLOSSARY, "  avoid:", "  see: [matrix]\n  avoid:", (GLOSSARY, "- id"), "there is no such other entry"),
    ("meanings", GLOSSARY, "  avoid:", "  see: [vector]\n  avoid:", (GLOSSARY, "- id"), "there is no such other entry"),
    ("meanings", GLOSSARY, "  avoid:", "  page: page#gone\n  avoid:", (GLOSSARY, "- id"), "there is no such heading"),
    ("meanings", GLOSSARY, "  avoid:", "  page: gone\n  avoid:", (GLOSSARY, "- id"), "there is no such heading"),
    (
        "meanings",
        GLOSSARY,
        "- id: vector",
        "- {id: row, ko: 열, en: row, mean_ko: 열, mean_en: Row., names: [Vector]}\n- id: vector",
        (GLOSSARY, 2),
        "vector names row and vector",
    ),
    # the two languages
    (
        "same_details",
        KO,
        "그대로.",
        "0.0002만큼.",
        (KO, "0.0002"),
        "has the number 0.0002, which docs/en/page.md:5 lacks",
    ),
    ("same_details", EN, "definition of a sum", "definition in section 3.2.3", (EN, "3.2.3"), "has the number 3.2.3"),
    (
        "same_details",
        EN,
        "vector.",
        "[vector](https://host.example/a).",
        (EN, "host"),
        "has the external link https://host",
    ),
    ("same_details", EN, "vector.", "`x.T`.", (EN, "x.T"), "has the code x.T"),
    (
        "same_details",
        EN,
        "vector.\n",
        "vector.\n\n- One\n",
        (KO, "## 더하기"),
        "has 0 items in its lists, and docs/en/page.md:27 has 1",
    ),
    (
        "same_details",
        EN,
        "| 2 | 4 |",
        "| 2 | 5 |",
        (KO, "| 2 | 4"),
        "this row has 2, 4, and docs/en/page.md:39 has 2, 5",
    ),
    (
        "same_details",
        EN,
        "| 1 | 2 |\n| 2 | 4 |",
        "| 2 | 4 |\n| 1 | 2 |",
        (KO, "| 1 | 2"),
        "the same rows in the same order",
    ),
    ("questions_hold", ASKED, "lab:", "lap:", (ASKED, "lap:"), "there is no page labs/lap; did you mean labs/lab?"),
    ("questions_hold", ASKED, "right: true, ", "", (ASKED, "- id: twice"), "0 answers are right"),
    ("plain_words", ASKED, "By adding", "It is twofold", (ASKED, "twofold"), "the book says double"),
    ("wording", ASKED, "네 배입니다", "벡타입니다", (ASKED, "벡타"), "the book says 벡터"),
    ("links", HOME, "page.md#double", "http://host.example", (HOME, "http:"), "http: links lead to pages by https"),
    ("links", HOME, "page.md#double", "javascript:alert(1)", (HOME, "javascript"), "javascript: links lead"),
    ("links", HOME, "page.md#double", "Data:text/html,x", (HOME, "Data:"), "Data: links lead"),
    ("articles", EN, NOTE, "$$\n<div onfocus=a autofocus>\n$$\n\n" + NOTE, (EN, "<div"), "the attribute onfocus"),
    ("numbers_named", EN, "vector.", "vector, and 0.5 of it.", (EN, "0.5"), "0.5 is typed in"),
    ("marks_known", EN, "vector.", "vector of {{half}}.", (EN, "{{half"), "there is no snippets/page.md"),
    ("sourced", EN, "Twice the number", "{{cited 2.0}} times the number", (EN, "{{cited"), "from where"),
    (
        "values_printed",
        MD,
        BODY,
        f"{BODY}<!-- --8<-- [end:three] -->\n<!-- --8<-- [start:values] -->\n```python\nprint(1)\n```\n",
        (MD, "start:values"),
        "not written down",
    ),
    ("footnotes", EN, NOTE, "[^why]: Once.\n\n" + NOTE, (EN, 51), "the footnote why already stands in line 49"),
]


#: A part with an index page, and a style sheet, which the little book has not.
PART = {
    "docs/ko/labs/index.md": """\
---
title: 실습들
description: 실습 페이지를 모두 늘어놓는, 시험에 쓸 차례 페이지입니다.
---
# 실습들 {#labs}

[실습](lab.md) 하나가 있습니다.
""",
    "docs/en/labs/index.md": """\
---
title: Labs
description: The pages of this part in their order, which is one page for now.
---
# Labs {#labs}

There is [one](lab.md).
""",
    "docs/assets/css/book.css": ".a {\n  color: red;\n}\n\n@media print {\n  .b::before {\n    content: '}';\n  }\n}\n",
}


@pytest.fixture
def book(tmp_path) -> Path:
    for name, text in {
        **LITTLE_BOOK,
        **PART,
        "mkdocs.yml": "nav: [index.md, page.md, labs/index.md, labs/lab.md]\nsite: !ENV [X, y]\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for language, words in (
        ("ko", "[실습](labs/index.md)도 있습니다."),
        ("en", "There are [labs](labs/index.md) too."),
    ):
        with (tmp_path / "docs" / language / "index.md").open("a", encoding="utf-8") as file:
            file.write(f"\n{words}\n")
    return tmp_path


def test_the_little_book_is_sound(book):
    assert check_pages(book) == []


def where(book: Path, file: str, line: str | int) -> int:
    if isinstance(line, int):
        return line
    return next(
        number for number, text in enumerate((book / file).read_text(encoding="utf-8").splitlines(), 1) if line in text
    )


@pytest.mark.parametrize(("check", "file", "old", "new", "place", "said"), BROKEN)
def test_a_broken_book_is_complained_about(book, check, file, old, new, place, said):
    text = (book / file).read_text(encoding="utf-8")
    if old:
        assert old in text
        (book / file).write_text(text.replace(old, new), encoding="utf-8")
    else:
        (book / file).unlink()
    function = next(function for function in (*FIRST, *CHECKS) if function.__name__ == check)
    problem = next((p for p in function(Book.read(book) if function in CHECKS else book) if said in p.message), None)
    assert problem, f"{check} finds nothing; found: {list(map(str, check_pages(book)))}"
    assert (problem.path, problem.line) == (book / place[0], where(book, *place))


def test_every_check_has_an_example_that_breaks_it():
    broken = {check for check, *_ in [*BROKEN, *SEEDED]} | {"encodings", "published"}
    broken |= {"forms_of_pages", "moved_pages", "one_program"}  # test_outline, test_moved and test_editions do it
    # test_hangul, test_names, test_printed and test_calls do it
    broken |= {"english_pages_show_english", "outputs_have_their_meaning"}
    broken |= {"code_names", "korean_outputs_are_korean", "imported_names"}
    broken |= {check.__name__ for check, *_ in IN_WORDS} | {"solutions_said"}  # test_seeded_words does it
    assert {function.__name__ for function in (*FIRST, *CHECKS)} == broken


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (EN, "$2x$", "$2 x$"),  # spaces mean nothing in a formula
        (KO, "수 $x$의 두 배는 $2x$입니다.", "$2x$는 수 $x$의 두 배입니다."),  # Korean has another word order
        (EN, FENCE, FENCE + "\n\n```sh\nls\n```"),
        (KO, "벡터(vector)도", "벡터(vector)는 “벡타”가 아니고, `벡타`도"),  # quoted wordings are not used
        (KO, "벡터(vector)도", "**벡터**(vectors)도"),
        (EN, NOTE, "[^why]: Twice.\n\n    By"),
    ],
    ids=["spaces", "word order", "commands", "quoted", "plural", "long footnote"],
)
def test_what_is_right_is_not_complained_about(book, file, old, new):
    text = (book / file).read_text(encoding="utf-8")
    (book / file).write_text(text.replace(old, new), encoding="utf-8")
    if "```sh" in new:  # the same fence in both languages
        (book / KO).write_text((book / KO).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert check_pages(book) == []


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        (
            "- 하나 **굵은\n  글씨**: `$$`, `](`, `*`, `_a_`.\n\n    아직 *하나*.\n- 둘",
            "- One **bold\n  word**: `$$`, `](`, `*`, `_a_`.\n\n    Still *one*.\n- Two",
        ),
        (
            "값은 \\$5, 2 \\* 3, a_b_c, √d_k, $a_b * c_d$, **`x`나 $y$**, *가 **나** 다*입니다.",
            "A price of \\$5, 2 \\* 3, a_b_c and √d_k, $a_b * c_d$, **`x` or $y$**, *a **b** c*.",
        ),
        (
            "1. 하나\n2. 둘\n\n| 가 |\n|---|\n| 6500만 |\n\n말.",
            "1. One\n2. Two\n\n| a |\n|---|\n| 65 million |\n\nWords.",
        ),
        *[("- PyTorch, 2024. [*Saving a general model in 0.5 of a page*](https://host.example/a).",) * 2],
        ("문서 [`f`](https://host.example/ko/f)를 보세요.", "See [`f`](https://host.example/en/f)."),
        (
            "*Attention Is All You Need*의 ‘dog bites man’, $d_\\text{model}$과 $\\text{dropout}(x)$입니다.",
            "A *트랜스포머* is ‘위치 인코딩’ in $d_\\text{model}$ and $\\text{dropout}(x)$.",
        ),
        ("이 `shape`은 `(a, b)`입니다.", "This shape is `(a, b)`."),
    ],
    ids=["list", "signs", "numbers and table", "source", "links", "words", "code"],
)
def test_what_is_right_in_both_languages_is_not_complained_about(book, korean, english):
    for name, text in ((KO, korean), (EN, english)):
        replace(book / name, "[^why]: ", f"{text}\n\n[^why]: ")
    assert check_pages(book) == []


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_less_than_in_a_formula_is_no_html(book):
    for name in (KO, EN):
        replace(book / name, "$2x$", "$2x$ ($i<j$, $i < j$)")
    assert check_pages(book) == []


def test_an_entry_of_the_glossary_can_be_linked_to(book):
    for language in ("ko", "en"):
        replace(book / "docs" / language / "index.md", "#double", "#term-vector")
    assert ["no anchor #term-vector" in problem.message for problem in check_pages(book)] == [True, True]
    for name in (KO, EN):
        replace(book / name, "[^why]: ", "<!-- glossary -->\n\n[^why]: ")
    assert check_pages(book) == []
    for language in ("ko", "en"):
        replace(book / "docs" / language / "index.md", "#term-vector", "#term-gone")
    assert ["no anchor #term-gone" in problem.message for problem in check_pages(book)] == [True, True]


def test_front_matter_without_fields_is_a_problem(book):
    page = book / EN
    page.write_text("---\nwords\n---\n" + page.read_text(encoding="utf-8").split("---\n", 2)[2], encoding="utf-8")
    assert f"{EN}:1: the front matter needs lines `title: …` and `description: …`" in map(str, check_pages(book))


def test_a_problem_is_printed_with_file_and_line():
    assert str(Problem(Path("docs/ko/page.md"), 7, "say what to do")) == "docs/ko/page.md:7: say what to do"


def test_the_command_prints_the_problems_and_fails(book):
    copy_machinery(book)

    def run():
        return subprocess.run([sys.executable, "-m", "book.checks"], cwd=book, capture_output=True, text=True)

    assert run().returncode == 0
    (book / EN).unlink()
    failed = run()
    assert failed.returncode == 1
    assert "docs/ko/page.md:1: has no counterpart: write docs/en/page.md" in failed.stdout


# ---- what keeps the book from being read, and what no edit of a line can show


def said(book: Path) -> list[str]:
    return list(map(str, check_pages(book)))


def test_a_file_that_is_not_utf_8_is_named_and_nothing_else_said(book):
    text = (book / KO).read_text(encoding="utf-8")
    (book / KO).write_bytes(text.encode("cp949", errors="replace"))
    assert said(book) == [f"{KO}:2: this is not UTF-8: save the file as UTF-8"]
    (book / KO).write_text(text, encoding="utf-16")
    assert said(book) == [f"{KO}:1: this is not UTF-8: save the file as UTF-8"]


@pytest.mark.parametrize("line", ["<!-- glossary -->", "<!-- glossary --> ", "  <!-- glossary -->"])
def test_the_table_of_the_glossary_comes_with_spaces_too(line):
    shown = Markdown(extensions=["tables", GlossaryExtension("en")]).convert(f"Words.\n\n{line}\n")
    assert shown.count('id="term-') == 0 and shown.count("{ #term-") == len(glossary.load()), "no attr_list here"


def test_a_page_of_many_pages_is_refused_before_it_is_read(book):
    (book / EN).write_text((book / EN).read_text(encoding="utf-8") + "Words.\n\n" * LARGEST_PAGE, encoding="utf-8")
    assert said(book) == [f"{EN}:1: has {(os.path.getsize(book / EN)) // 1000} kB: more than 60 kB is several pages"]


def test_letters_in_pieces_and_windows_line_ends_are_read_all_the_same(book):
    text = (book / KO).read_text(encoding="utf-8")
    (book / KO).write_text("\ufeff" + unicodedata.normalize("NFD", text), encoding="utf-8")
    assert [problem.split(": ")[1][:22] for problem in said(book)] == [
        "starts with a byte ord",
        "letters stand here in ",
    ]
    (book / KO).write_bytes(text.replace("\n", "\r\n").encode())
    assert said(book) == []


@pytest.mark.parametrize(
    "name", ["docs/ko/.#page.md", "docs/en/._page.md", "docs/ko/labs/.lab.md.swp", "docs/.DS_Store"]
)
def test_files_of_editors_are_passed_over(book, name):
    if "#" in name:
        (book / name).symlink_to("somebody@somewhere.1234")
    else:
        (book / name).write_bytes(b"\xff\x00")
    assert said(book) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("docs/secret.env", "would be published"),
        ("docs/ko/notes.txt", "would be published: here stand only pages"),
        ("docs/en/page.html", "would be published"),
        ("docs/assets/figure.psd", "would be published"),
        ("docs/ko/my page.md", "use small letters, digits and hyphens"),
        ("docs/ko/Page.md", "use small letters, digits and hyphens"),
    ],
)
def test_what_does_not_belong_below_docs_is_refused(book, name, told):
    (book / name).write_text("x", encoding="utf-8")
    assert any(problem.startswith(f"{name}:1: ") and told in problem for problem in said(book)), said(book)


@pytest.mark.parametrize("folder", [False, True])
def test_links_to_files_outside_are_refused(book, folder):
    with tempfile.TemporaryDirectory() as outside:
        Path(outside, "a.svg").write_text("<svg/>")
        (book / "docs" / "assets" / "linked").symlink_to(outside if folder else Path(outside, "a.svg"))
        assert any(problem.startswith("docs/assets/linked:1: is a link") for problem in said(book))


@pytest.mark.parametrize("name", ["docs/assets/photo.jpg", "docs/assets/figures/part/plain.ko.svg"])
def test_a_picture_that_is_too_large_is_refused(book, name):
    (book / name).parent.mkdir(parents=True, exist_ok=True)
    too_large = f"{name}:1: has 400 kB, and a reader on a phone waits for it: make it smaller than 400 kB"
    (book / name).write_bytes(bytes(LARGEST_PICTURE))
    assert too_large not in said(book)
    (book / name).write_bytes(bytes(LARGEST_PICTURE + 1))
    assert too_large in said(book)


def test_an_index_page_has_the_order_of_the_navigation(book):
    for language in ("ko", "en"):
        lab = book / "docs" / language / "labs" / "lab.md"
        other = lab.read_text(encoding="utf-8")
        for old, new in (
            ("실습\n", "둘째\n"),
            ("# 실습", "# 둘째"),
            ("A lab", "A second lab"),
            ("셀 하나", "다른 셀 하나"),
        ):
            other = other.replace(old, new)
        (lab.parent / "more.md").write_text(other.replace("A little", "Another"), encoding="utf-8")
        replace(lab.parent / "index.md", "(lab.md)", "(more.md), [x](lab.md)")
    replace(book / "mkdocs.yml", "labs/lab.md]", "labs/lab.md, labs/more.md]")
    told = [problem for problem in said(book) if "index.md" in problem]
    assert told == [
        f"docs/{language}/labs/index.md:7: labs/more.md stands before this, and after it in `nav`: both have one order"
        for language in ("ko", "en")
    ]
    replace(book / "mkdocs.yml", "labs/lab.md, labs/more.md]", "labs/more.md, labs/lab.md]")
    assert not [problem for problem in said(book) if "index.md" in problem]


def test_a_name_like_it_is_suggested_instead_of_all(book):
    replace(book / HOME, "#double", "#doubel")
    replace(book / HOME, "labs/index.md", "labs/indx.md")
    told = said(book)
    assert any(
        problem.endswith("labs/indx.md leads to no page in docs/en; did you mean labs/index.md?") for problem in told
    )
    assert any(problem.endswith("has no anchor #doubel; did you mean double?") for problem in said(book))


def test_a_lab_without_title_or_counterpart_is_one_problem_of_the_checks(book):
    page = book / "docs" / "en" / "labs" / "lab.md"
    replace(page, "title: A lab\n", "")
    assert [problem.split(":")[0] for problem in said(book)] == ["docs/en/labs/lab.md"]
    page.unlink()
    assert "docs/ko/labs/lab.md:1: has no counterpart: write docs/en/labs/lab.md" in said(book)


def test_a_console_that_knows_no_hangul_shows_the_problems(book):
    copy_machinery(book)
    replace(book / KO, "## 더하기 {#sum}", "## 더하기")
    told = subprocess.run(
        [sys.executable, "-m", "book.checks"],
        cwd=book,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert told.returncode == 1 and b"docs/ko/page.md:27: " in told.stdout and b"Traceback" not in told.stderr
