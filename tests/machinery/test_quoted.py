"""A quoted change follows a local that was renamed, and nothing else."""

from __future__ import annotations

import pytest

from tests.machinery.quoted import as_it_is_now, changed, unnoticed

SOURCE = """
def normed(x, eps):
    middle = x - x.mean(dim=-1, keepdim=True)
    spread = middle.square().mean(dim=-1, keepdim=True)
    return middle / (spread + eps).sqrt()
"""


@pytest.mark.parametrize(
    ("old", "new", "now"),
    [
        # as it stands
        ("(spread + eps).sqrt()", "spread.sqrt()", ("(spread + eps).sqrt()", "spread.sqrt()")),
        # two locals had other names
        (
            "return c / (v + eps).sqrt()",
            "return c / v.sqrt()",
            ("return middle / (spread + eps).sqrt()", "return middle / spread.sqrt()"),
        ),
        ("c = x - x.mean(", "c = c - x.mean(", ("middle = x - x.mean(", "middle = middle - x.mean(")),
        # one name stands for one name
        ("v = v.square()", "v = v", None),
        # what the code still has stays what it is, and so do operators, attributes and numbers
        ("x = x - x.mean(", "x = x", None),
        ("return c * (v + eps).sqrt()", "", None),
        ("(v + eps).rsqrt()", "", None),
        ("c = x - x.mean(dim=-2", "", None),
    ],
)
def test_a_change_is_found_in_the_names_of_now(old, new, now):
    assert as_it_is_now(old, new, SOURCE) == now


def test_it_is_made_in_the_source_or_said_to_be_gone():
    assert changed("c / (v + eps).sqrt()", "c / v.sqrt()", SOURCE).endswith("return middle / spread.sqrt()\n")
    with pytest.raises(AssertionError, match="write the line as it is now: c % v"):
        changed("c % v", "c", SOURCE)


def test_a_list_is_read_in_the_names_of_now(tmp_path):
    module, path = tmp_path / "norm.py", tmp_path / "equivalent.yml"
    module.write_text(SOURCE)
    path.write_text(
        "norm:\n- {before: return c / (s + eps).sqrt(), after: return s, why: a}\n- {before: c % s, after: b, why: c}\n"
    )
    assert unnoticed(path, {"norm": module}) == {
        ("norm", "return middle / (spread + eps).sqrt()", "return spread"): "a",
        ("norm", "c % s", "b"): "c",
    }
