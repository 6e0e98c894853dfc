"""A book of two pages with everything that pages of this book have, for the tests to break."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from book import ROOT
from book.source.pages import Book

#: What the machinery needs of ``snippets``.
NEEDED = (
    "__init__.py",
    "tools/__init__.py",
    "tools/fingerprint.py",
    "tools/in_parallel.py",
    "tools/kept.py",
    "tools/meaning.py",
    "tools/results.py",
    "figures/__init__.py",
    "figures/style.py",
)


def copy_machinery(project: Path) -> None:
    """What makes a site of a book, for a project that has none yet."""
    shutil.copytree(ROOT / "book", project / "book", ignore=shutil.ignore_patterns("__pycache__"))
    for name in NEEDED:
        (project / "snippets" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "snippets" / name, project / "snippets" / name)


LITTLE_BOOK = {
    "docs/wording.yml": """\
ko:
- {word: 곱절, say: 두 배, fine: [곱절이 되다]}
en:
- {word: twofold, say: double}
""",
    "docs/names.yml": "# its pages say no names of others\n",
    "docs/printed.yml": "# nor do outputs on its Korean pages print English words\n",
    "docs/glossary.yml": """\
- id: vector
  ko: 벡터
  en: vector
  mean_ko: 수를 늘어놓은 것.
  mean_en: Numbers in a row.
  avoid: [벡타]
""",
    "docs/keywords.yml": """\
page: [doubling, 곱하기 2]
page#sum: [adding]
""",
    "docs/questions/labs.yml": """\
lab:
- id: twice
  ko: 두 배의 두 배는 왜 네 배일까요?
  en: Why is twice the double four times as much?
  answers:
  - {ko: 더해서, en: By adding, why_ko: 곱합니다., why_en: It is multiplied.}
  - {ko: 곱해서, en: By multiplying, right: true, why_ko: 네 배입니다., why_en: Four times.}
- id: none
  ko: 0의 두 배는 왜 0일까요?
  en: Why is twice nothing still nothing?
  answers:
  - {ko: 작아서, en: It is small, why_ko: 크기와는 관계없습니다., why_en: Size does not matter.}
  - {ko: 0이라서, en: It is zero, right: true, why_ko: 무엇을 곱해도 0입니다., why_en: Any multiple of it is zero.}
""",
    "docs/ko/index.md": """\
---
title: 작은 책
description: 시험에 쓰려고 만든, 두 쪽짜리 작은 책입니다.
---
# 작은 책 {#home}

[다음 페이지](page.md#double)에서 벡터(vector)를 두 배로 만듭니다.
""",
    "docs/en/index.md": """\
---
title: A little book
description: A little book of two pages, made for the tests to break.
---
# A little book {#home}

The [next page](page.md#double) doubles a vector.
""",
    "docs/ko/labs/lab.md": """\
---
title: 실습
description: 셀 하나를 실행하고 출력을 보여 주는 작은 실습 페이지입니다.
---
# 실습 {#lab}

어떤 수의 두 배는 얼마일까요?

/// short | 한마디로
두 배는 한 번 더 더한 것과 같습니다.
///

[앞 페이지](../page.md#sum)의 $\\R$에서 하는 일입니다.

--8<-- "labs/lab.md:twice"
""",
    "docs/en/labs/lab.md": """\
---
title: A lab
description: A little lab that executes one cell and shows what the cell has printed.
---
# A lab {#lab}

What is the double of a number?

/// short | In short
The double is the number, added once more.
///

What the [page before](../page.md#sum) does, in $\\R$.

--8<-- "labs/lab.md:twice"
""",
    "snippets/labs/lab.md": """\
<!-- --8<-- [start:twice] -->
```python
from snippets.part.doubling import double

print("2 x =", double(21))
```
<!-- --8<-- [end:twice] -->
""",
    "docs/ko/page.md": """\
---
title: 두 배
description: 벡터를 두 배로 만들고 그림을 그리는 페이지입니다.
---
# 두 배 {#double}

수 $x$의 두 배는 $2x$입니다.

```python
--8<-- "part/doubling.py:double"
```

--8<-- "part/doubling.md:three"

![원점을 지나서 올라가는 가파른 직선](assets/figures/part/doubled.svg)

/// figure-caption
두 배.
///

![원점을 지나는 완만한 직선 하나](assets/figures/part/plain.svg)

/// figure-caption
그대로.
///

## 더하기 {#sum}

두 배는 자신을 한 번 더 더한 것과 같고, $x + x$라고 씁니다.[^why]
벡터(vector)도 마찬가지입니다.

$$
2x = x + x \\text{ 입니다}
$$

| 수 | 두 배 |
|---|---|
| 1 | 2 |
| 2 | 4 |

//// exercise | 네 배
두 배의 두 배는 얼마일까요?

/// solution | 풀이
$4x$입니다.
///
////

[^why]: 더하기를 정의하면 따라 나옵니다.
""",
    "docs/en/page.md": """\
---
title: Twice
description: A page that doubles a vector, with two figures and an exercise.
---
# Twice {#double}

Twice the number $x$ is $2x$.

```python
--8<-- "part/doubling.py:double"
```

--8<-- "part/doubling.md:three"

![A line through the origin](assets/figures/part/doubled.svg)

/// figure-caption
Twice.
///

![A line with half that slope](assets/figures/part/plain.svg)

/// figure-caption
Once.
///

## A sum {#sum}

Twice a number is the number added to itself, $x + x$.[^why]
The same holds for a vector.

$$
2x = x + x \\text{ always}
$$

| Number | Twice |
|---|---|
| 1 | 2 |
| 2 | 4 |

//// exercise | Four times
What is twice the double?

/// solution | Solution
$4x$.
///
////

[^why]: By the definition of a sum.
""",
    "snippets/part/doubling.py": '''\
"""Twice as much."""


# --8<-- [start:double]
def double(x):
    """Twice ``x``."""
    return 2 * x


# --8<-- [end:double]
''',
    "snippets/part/comments.ko.yml": """\
doubling.py:
- en: Twice ``x``.
  ko: 두 배의 ``x``.
""",
    "snippets/part/doubling.md": """\
# Worked examples: doubling

<!-- --8<-- [start:three] -->
```python
from snippets.part.doubling import double

print(double(3))
```

<!--pytest-codeblocks:expected-output-->

```text
6
```
<!-- --8<-- [end:three] -->
""",
    "snippets/figures/part/doubled.py": '''\
"""The double of a number."""

import matplotlib.pyplot as plt

from snippets.part.doubling import double

TEXT = {"ko": "수", "en": "number"}


def draw(text):
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, double(1)])
    ax.set_xlabel(text)
    return figure
''',
    "snippets/figures/part/plain.py": '''\
"""A number itself."""

import matplotlib.pyplot as plt

TEXT = {"ko": "수", "en": "number"}


def draw(text):
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [0, 1])
    ax.set_xlabel(text)
    return figure
''',
}


def write(root: Path, texts: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the little book into a folder, with more files or other ones."""
    for name, text in {**LITTLE_BOOK, "mkdocs.yml": "nav: [index.md, page.md, labs/lab.md]\n", **texts}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def written(root: Path, texts: Mapping[str, str]) -> Book:
    """The little book in a folder, as it is read."""
    write(root, texts)
    return Book.read(root)
