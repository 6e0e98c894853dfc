"""What a new page and a new part start from: text that works, with TODO where its author has to write.

``book/authoring/page.py`` puts the names in. ``unwritten`` in ``book/checks/whole_pages.py`` refuses a TODO that is
left.
"""

KOREAN_PAGE = r"""---
title: TODO @title@
description: TODO @title@ 페이지가 무엇을 묻고 무엇을 보여 주는지 한 문장(20~120자)으로 씁니다. 검색 결과에 나옵니다.
---
# TODO @title@ {#@page@}

TODO 이 페이지가 답하는 물음을 한두 문장으로 던집니다. 수 몇 개에서 평균을 빼면 무엇이 남을까요? 그 아래에는 독자가 보거나 짐작할 것을 둡니다.

/// short | 한마디로
TODO 물음에 두세 문장으로 답합니다. 알아낸 것을 수와 함께 쓰고, 뜻밖의 결과가 있으면 여기서 미리 알립니다.
///

먼저 읽을 것: TODO [이 부의 차례](index.md).

## TODO 생각 {#idea}

TODO 생각을 말로 밝히고, 그다음에 식, 코드, 출력, 그림을 이 차례로 둡니다. 기호는 처음 나올 때 `shape`과 함께 밝힙니다. 여기서 $x$는 수 $d$개를 늘어놓은 것입니다.

$$
y_i = x_i - \frac{1}{d} \sum_{j=1}^{d} x_j
$$

TODO 식을 코드로 옮기고 한 줄씩 설명합니다. 이 블록의 코드는 `snippets/@part@/@module@.py`에 있습니다.

```python
--8<-- "@part@/@module@.py:imports"


--8<-- "@part@/@module@.py:@module@"
```

TODO 코드의 줄마다 무엇을 왜 하는지 설명합니다. `mean`은 마지막 축의 평균을 구하고, `keepdim`은 그 축을 남겨 두어 벡터마다 자기 평균을 뺄 수 있게 합니다. 설명하지 않을 코드는 보이지 않게 접어 두거나 페이지에 싣지 않습니다. 처음 보는 사람이 읽을 코드입니다.

TODO 출력에서 무엇을 보아야 하는지, 무엇을 미리 짐작해 볼지 먼저 말합니다. 예와 출력은 `snippets/@part@/@module@.md`에 있고, 출력은 `pytest --accept`가 써 줍니다.

--8<-- "@part@/@module@.md:zero-mean"

TODO 그림은 `snippets/figures/@part@/@module@.py`가 `TEXT`와 `draw(text)`로 그리고, 페이지에는 `![…](../assets/figures/@part@/@module@.svg)`라고 씁니다. 그 아래에 figure-caption 블록이 옵니다. 새 용어는 `docs/glossary.yml`에 넣습니다.

## 실무에서는 {#at-work}

TODO 요즘은 PyTorch나 transformers에서 무엇을 쓰는지, 어느 기본값을 고르고 어느 함정을 피하는지 서너 문장으로 씁니다.

/// remember | 기억할 것
- TODO 이 페이지에서 남길 것을 씁니다.
- TODO 둘째 줄을 씁니다.
- TODO 셋째 줄을 씁니다.
///

TODO 다음 페이지를 왜 읽고 싶어지는지 한 문장으로 쓰고 링크를 겁니다. [이 부의 차례](index.md)가 그런 링크입니다.

## 연습 문제 {#exercises}

//// exercise | 1. TODO 예상하기
TODO 돌려 보기 전에 답을 예상하게 합니다. 모든 수에 100을 더하면 무엇이 바뀔까요?

/// solution | 풀이
TODO 답과 이유를 씁니다. 아무것도 바뀌지 않습니다.

--8<-- "@part@/@module@.md:exercise-shift"
///
////

//// exercise | 2. TODO 잘못 쓰기
TODO 두세 문제면 됩니다. 수 하나를 넣으면 어떻게 될까요?

/// solution | 풀이
TODO 거절합니다.

--8<-- "@part@/@module@.md:exercise-number"
///
////

## 출처 {#sources}

- TODO 저자와 연도, 제목과 링크, 그리고 절이나 식이나 표의 번호를 쓰고, 거기에 무엇이 있는지 밝힙니다.
"""  # noqa: E501

ENGLISH_PAGE = r"""---
title: TODO @title@
description: TODO One sentence of 50 to 170 characters that search engines will show for @title@.
---
# TODO @title@ {#@page@}

TODO Ask the question of the page, in one or two sentences. What is left of some numbers without their mean? Then give the reader something to look at, or to guess.

/// short | In short
TODO Answer it in two or three sentences. Say what was found, with its number, and announce what may surprise.
///

You need TODO [the pages of this part](index.md).

## TODO The idea {#idea}

TODO The idea in words comes first, then the formula, the code, its output and the figure. Name each symbol with its shape the first time. Here $x$ is a row of $d$ numbers.

$$
y_i = x_i - \frac{1}{d} \sum_{j=1}^{d} x_j
$$

TODO Turn the formula into code, and explain its lines. The code of this block stands in `snippets/@part@/@module@.py`.

```python
--8<-- "@part@/@module@.py:imports"


--8<-- "@part@/@module@.py:@module@"
```

TODO Say what each line of the listing does, and why it is there: `mean` takes the mean of the last axis, and `keepdim` keeps that axis, so that a mean can be subtracted from every number of its own vector. What the text does not explain is not shown, or is folded; the page and its listing are for somebody who sees them for the first time.

TODO Say first what to look for in the output, and what the reader is to predict. Example and output stand in `snippets/@part@/@module@.md`, and `pytest --accept` writes the output.

--8<-- "@part@/@module@.md:zero-mean"

TODO A figure is drawn by `snippets/figures/@part@/@module@.py`, with `TEXT` and `draw(text)`, and shown by `![…](../assets/figures/@part@/@module@.svg)`, with a block figure-caption below. New terms go into `docs/glossary.yml`.

## At work {#at-work}

TODO What one types today, in PyTorch or transformers, which default to choose, and which trap there is, in three or four sentences.

/// remember | Remember
- TODO What is to stay of this page.
- TODO A second line.
- TODO A third line.
///

TODO In one sentence with a link, say why one wants to read the next page. A link looks like [the pages of this part](index.md).

## Exercises {#exercises}

//// exercise | 1. TODO Predict
TODO Let the reader predict before running anything. What changes if 100 is added to every number?

/// solution | Solution
TODO The answer, and why. Nothing changes.

--8<-- "@part@/@module@.md:exercise-shift"
///
////

//// exercise | 2. TODO Misuse
TODO Two or three exercises will do. What happens with a single number?

/// solution | Solution
TODO It is refused.

--8<-- "@part@/@module@.md:exercise-number"
///
////

## Sources {#sources}

- TODO Authors and year, title and link, section, equation or table, and what stands there.
"""  # noqa: E501

MODULE = '''"""TODO What this module computes, in one line."""

# --8<-- [start:imports]
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:@module@]
def @module@(x: Tensor) -> Tensor:
    """TODO Each vector without its mean.

    x: (..., d). Returns (..., d). Raises ValueError unless x has an axis.
    """
    if x.dim() == 0:
        raise ValueError(f"x needs an axis, and has the shape {tuple(x.shape)}")
    return x - x.mean(dim=-1, keepdim=True)
# --8<-- [end:@module@]
'''

EXAMPLES = """# Worked examples: @page@

<!-- --8<-- [start:zero-mean] -->
```python
import torch

from snippets.@part@.@module@ import @module@

x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])  # (n, d) = (2, 3)
y = @module@(x)
print(y)
```

<!--pytest-codeblocks:expected-output-->

```text
tensor([[-2., -1.,  3.],
        [-1., -1.,  2.]])
```
<!-- --8<-- [end:zero-mean] -->

<!-- --8<-- [start:exercise-shift] -->
```python
z = @module@(x + 100)
print(torch.equal(z, y))
```

<!--pytest-codeblocks:expected-output-->

```text
True
```
<!-- --8<-- [end:exercise-shift] -->

<!-- --8<-- [start:exercise-number] -->
<!--pytest.mark.xfail-->

```python
@module@(torch.tensor(1.0))
```

<!--pytest-codeblocks:expected-output-->

```text
ValueError: x needs an axis, and has the shape ()
```
<!-- --8<-- [end:exercise-number] -->
"""

#: The docstring of the module's function in the catalog of Korean comments.
KOREAN_DOCSTRING = """\
TODO 벡터마다 제 평균을 뺀다.

x: (..., d). 돌려주는 값: (..., d). x에 축이 없으면 ValueError."""

TESTS = '''"""What @module@ means: numbers around their mean, whatever that mean was."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from snippets.@part@.@module@ import @module@


def test_a_known_answer():
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    assert torch.equal(@module@(x), torch.tensor([[-2.0, -1.0, 3.0], [-1.0, -1.0, 2.0]]))


@given(shift=st.integers(-100, 100))
def test_a_number_added_to_a_whole_vector_changes_nothing(shift):
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    assert torch.equal(@module@(x + shift), @module@(x))


def test_a_single_number_is_refused():
    with pytest.raises(ValueError, match=r"the shape \\(\\)"):
        @module@(torch.tensor(1.0))
'''

KOREAN_PART = """---
title: TODO @title@
description: TODO @title@ 부에서 무엇을 다루는지 한 문장(20~120자)으로 씁니다. 검색 결과에 나옵니다.
---
# TODO @title@ {#@part@}

TODO 이 부를 꿰뚫는 물음 하나로 시작합니다.

## 차례 {#pages}

| 순서 | 페이지 | 답하는 물음 |
|---|---|---|

## 미리 알아 둘 것 {#before-you-start}

TODO 이 부를 읽기 전에 알아 둘 것을 링크로 알려 줍니다.
"""

ENGLISH_PART = """---
title: TODO @title@
description: TODO One sentence of 50 to 170 characters on the part @title@ that search engines will show.
---
# TODO @title@ {#@part@}

TODO Begin with the one question that stands behind this part.

## The pages {#pages}

| No. | Page | The question it answers |
|---|---|---|

## What you need {#before-you-start}

TODO What to know before this part, with links.
"""

#: The files of a page and of a part, and what each starts from.
PAGE = {
    "docs/ko/@part@/@page@.md": KOREAN_PAGE,
    "docs/en/@part@/@page@.md": ENGLISH_PAGE,
    "snippets/@part@/@module@.py": MODULE,
    "snippets/@part@/@module@.md": EXAMPLES,
    "tests/@part@/test_@module@.py": TESTS,
}
PART = {
    "docs/ko/@part@/index.md": KOREAN_PART,
    "docs/en/@part@/index.md": ENGLISH_PART,
    "snippets/@part@/__init__.py": '"""TODO What this part is about, in one line."""\n',
    "snippets/figures/@part@/__init__.py": '"""The figures of the part @part@."""\n',
}
