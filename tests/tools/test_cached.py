"""A result is computed anew when its code or a setting means something else, and is read otherwise."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import json
import linecache
import pickle
from importlib import metadata

import pytest
import torch

from snippets import ROOT
from snippets.tools import cached as module
from snippets.tools import kept
from snippets.tools.cached import Cached, cached, meant, progress, write_all

CODE = '''
import math

import torch

from snippets.tools.cached import cached

PEAK, STEPS = 0.5, 3
OTHER = 1


class Base:
    size = 2

    def grow(self, by):
        return self.size + by


class Model(Base):
    def __init__(self):
        super().__init__()

    @property
    def area(self):
        return self.size * 2

    @staticmethod
    def unit():
        return 1.0


def rate(step, peak=PEAK):
    """The rate."""
    return peak / step  # falls


def longer(step):
    return [rate(s + OTHER) for s in range(step)]


@cached("little")
def train(model_class, learning_rate, seed, steps=STEPS):
    note((seed, steps))
    model = model_class()
    sizes = [model.grow(seed) * math.sqrt(learning_rate(s)) for s in range(1, steps + 1)]
    return {"sizes": sizes, "area": model.area, "weights": {"w": torch.full((2,), float(seed))}}
'''
CALLS: list[tuple] = []


def notebook(code: str = CODE, name: str = "__main__") -> dict:
    """What a notebook, or a module, has defined: code that can be looked up as a cell's can."""
    CALLS.clear()
    file = f"<cell {hash(code)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    names = {"__name__": name, "note": CALLS.append}
    exec(compile(code, file, "exec"), names)
    return names


def key(old: str = "", new: str = "", *, code: str = CODE, name: str = "__main__") -> str:
    assert old in code
    names = notebook(code.replace(old, new), name)
    return names["train"].key(names["Model"], names["rate"], 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("PEAK, STEPS = 0.5, 3", "PEAK, STEPS = 0.25, 3"),
        ("PEAK, STEPS = 0.5, 3", "PEAK, STEPS = 0.5, 4"),
        ("peak / step", "peak * step"),
        ("def rate(step, peak=PEAK)", "def rate(step, peak=0.1)"),
        ("math.sqrt", "math.exp"),
        ("def grow(self, by):\n        return self.size + by", "def grow(self, by):\n        return self.size - by"),
        ("size = 2", "size = 3"),
        ("class Model(Base)", "class Model(Base, object)"),
        ("super().__init__()", "super().__init__()\n        self.size = 5"),
        ("return self.size * 2", "return self.size * 3"),
        ("return 1.0", "return 2.0"),
        ("float(seed)", "seed + 1.0"),
    ],
)
def test_code_or_a_setting_that_is_used_changes_the_key(old, new):
    assert key(old, new) != key()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("OTHER = 1", "OTHER = 2"),
        ("rate(s + OTHER)", "rate(s - OTHER)"),
        ("# falls", "# goes down"),
        ('"""The rate."""', '"""The learning rate."""'),
        ("return peak / step", "return (\n        peak / step\n    )"),
        ("import math\n", "import itertools\nimport math\n"),
        ("model_class, learning_rate, seed, steps=STEPS", "model_class, learning_rate, seed, steps=3"),
    ],
)
def test_what_is_not_used_or_means_the_same_does_not(old, new):
    before = key()
    if "steps=3" in new:  # the same number: the text of the function has changed all the same
        assert key(old, new) != before
    else:
        assert key(old, new) == before


def test_a_notebook_that_shows_the_code_of_a_module_means_the_same():
    assert key() == key(name="snippets.labs.little") and len(key()) == 16


def test_arguments_count_however_they_are_given(folders):
    names = notebook()
    train, model, rate = (names[name] for name in ("train", "Model", "rate"))
    assert train.key(model, rate, 0) == train.key(model, rate, 0, 3)
    others = [(model, rate, 1), (model, rate, 0, 4), (names["Base"], rate, 0), (model, names["longer"], 0)]
    assert len({train.key(*arguments) for arguments in [*others, (model, rate, 0)]}) == 5
    first = train(model, rate, 2, steps=1)
    assert train(model, seed=2, learning_rate=rate, steps=1) is not None
    assert CALLS == [(2, 1)] and first["sizes"] == [4 * 0.5**0.5]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Results of these tests are kept apart from the book's."""
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(kept, "CACHE", tmp_path / "cache")


def call(names: dict, *arguments) -> dict:
    return names["train"](names["Model"], names["rate"], *arguments)


def test_computed_once_and_read_by_another_notebook(folders):
    names = notebook()
    first = call(names, 1)
    assert call(names, 1)["sizes"] == first["sizes"] and CALLS == [(1, 3)]
    (only,) = names["train"].computed
    again = notebook()
    read = call(again, 1)
    assert CALLS == [] and again["train"].computed == set() and again["train"].asked.keys() == {only}
    assert read["sizes"] == first["sizes"] and read["area"] == 4
    assert read["weights"]["w"].equal(torch.full((2,), 1.0)), "weights too"


def test_what_was_changed_is_computed_and_what_was_not_is_read(folders):
    call(notebook(), 1)
    names = notebook(CODE.replace("peak / step", "peak / step / 4"))
    assert call(names, 1)["sizes"] == pytest.approx([3 * (0.125 / s) ** 0.5 for s in (1, 2, 3)])
    assert CALLS == [(1, 3)] and len(names["train"].computed) == 1
    call(notebook(), 1)
    assert CALLS == [], "the old one is still there"


def test_results_come_in_the_order_of_the_calls_and_none_is_computed_twice(folders):
    names = notebook()
    model, rate = names["Model"], names["rate"]
    call(names, 2)
    calls = [(model, rate, 3), (model, rate, 2), (model, rate, 1), (model, rate, 3, 3)]
    results = names["train"].each(iter(calls))
    assert [result["sizes"][0] for result in results] == pytest.approx([(2 + s) * 0.5**0.5 for s in (3, 2, 1, 3)])
    assert CALLS == [(2, 3), (3, 3), (1, 3)]
    assert names["train"].each([]) == []


def test_a_call_by_name_is_the_call_by_place(folders):
    names = notebook()
    model, rate = names["Model"], names["rate"]
    (placed,) = names["train"].each([(model, rate, 3)])
    (named,) = names["train"].each([{"seed": 3, "learning_rate": rate, "model_class": model}])
    assert named["sizes"] == placed["sizes"] and CALLS == [(3, 3)]


def test_a_result_that_is_missing_is_not_passed_over(folders, monkeypatch):
    monkeypatch.setattr(module, "in_parallel", lambda function, arguments: [{}])
    names = notebook(name="snippets.labs.little")
    with pytest.raises(ValueError):
        names["train"].each([(names["Model"], names["rate"], seed) for seed in (0, 1)])


def test_several_of_a_module_are_computed_at_once_and_one_is_not(folders, monkeypatch):
    at_once = []

    def in_parallel(function, arguments):
        at_once.append(len(arguments))
        return [function(*a) for a in arguments]

    monkeypatch.setattr(module, "in_parallel", in_parallel)
    names = notebook(name="snippets.labs.little")
    model, rate, train = (names[name] for name in ("Model", "rate", "train"))
    train.each([(model, rate, seed) for seed in (0, 1)])
    train.each([(model, rate, seed) for seed in (0, 1, 2)])
    assert at_once == [2] and CALLS == [(0, 3), (1, 3), (2, 3)]
    notebook()["train"].each([(model, rate, seed, 1) for seed in (0, 1)])
    assert at_once == [2], "a notebook's function is unknown to another process"


def test_a_function_goes_to_another_process_by_its_name():
    assert pickle.loads(pickle.dumps(LITTLE)) is LITTLE
    assert LITTLE.__name__ == "LITTLE" and LITTLE.__doc__ == "A little."


@cached("little")
def LITTLE(x):
    """A little."""
    return {"x": x}


def test_a_function_may_keep_no_weights(folders):
    assert LITTLE(3) == {"x": 3}
    write_all([LITTLE], kept.RESULTS, "some code")
    assert [file.name for file in kept.RESULTS.iterdir()] == ["little.json"]


def test_what_comes_with_the_book_is_put_together_and_read(folders, tmp_path):
    names = notebook()
    first = [call(names, seed) for seed in (1, 2)]
    write_all([names["train"]], kept.RESULTS, "some code")
    record = json.loads((kept.RESULTS / "little.json").read_text())
    assert record["code"] == "some code" and record["data"].keys() == names["train"].asked.keys()
    assert all("weights" not in one["result"] for one in record["data"].values())
    kept.CACHE = tmp_path / "empty"
    again = notebook()
    second = [call(again, seed) for seed in (1, 2)]
    assert CALLS == [] and not kept.CACHE.exists()
    for one, other in zip(first, second, strict=True):
        assert one["sizes"] == other["sizes"] and one["weights"]["w"].equal(other["weights"]["w"])
        assert other["weights"].keys() == {"w"}


@cached("little")
def OTHER(x):
    return {"other": x}


def test_two_functions_of_one_name_are_kept_together(folders, tmp_path):
    LITTLE(5), OTHER(6)
    write_all([LITTLE, OTHER], kept.RESULTS, "some code")
    kept.CACHE = tmp_path / "empty"
    assert (LITTLE(5), OTHER(6)) == ({"x": 5}, {"other": 6})
    record = json.loads((kept.RESULTS / "little.json").read_text())
    assert {LITTLE.key(5), OTHER.key(6)} <= record["data"].keys()


def test_the_same_from_the_cache(folders, tmp_path):
    names = notebook()
    call(names, 1)
    write_all([names["train"]], kept.CACHE, "some code")
    for file in (kept.CACHE / "runs").iterdir():
        file.unlink()
    assert call(notebook(), 1)["area"] == 4 and CALLS == []


def test_without_weights_there_is_one_file_and_none_are_read(folders):
    names = notebook(CODE.replace('{"w": torch.full((2,), float(seed))}', "{}"))
    call(names, 1)
    assert [file.suffix for file in (kept.CACHE / "runs").iterdir()] == [".json"]
    assert "weights" not in call(names, 1)


def test_what_another_version_of_torch_computed_counts_for_a_notebook_only(folders, monkeypatch):
    call(notebook(name="snippets.labs.little"), 1)
    version = metadata.version
    monkeypatch.setattr(metadata, "version", lambda package: "0.1+cpu" if package == "torch" else version(package))
    call(notebook(), 1)
    assert CALLS == []
    names = notebook(name="snippets.labs.little")
    call(names, 1)
    assert CALLS == [(1, 3)] and {record["torch"] for record in names["train"].asked.values()} == {"0.1"}


def test_in_what_comes_with_the_book_too(folders, monkeypatch, tmp_path):
    names = notebook(name="snippets.labs.little")
    call(names, 1)
    write_all([names["train"]], tmp_path / "results", "some code")
    monkeypatch.setattr(kept, "CACHE", tmp_path / "empty")
    monkeypatch.setattr(metadata, "version", lambda package: "0.1")
    call(notebook(), 1)
    assert CALLS == []
    call(notebook(name="snippets.labs.little"), 1)
    assert CALLS == [(1, 3)]


def test_where_nothing_is_trained_it_says_so_and_reads_what_there_is(folders, monkeypatch, tmp_path):
    call(notebook(), 1)
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "snippets" / "results")  # those of the book
    monkeypatch.setenv(kept.NOTHING, "1")
    names = notebook()
    assert call(names, 1)["area"] == 4 and CALLS == []
    with pytest.raises(kept.NotTrained, match="python -m book results little"):
        call(names, 2)
    assert CALLS == []


@pytest.mark.parametrize("content", ["", "{", "[]", '{"code": "x"}', '{"data": {}}'])
def test_what_is_damaged_says_so_and_is_computed(folders, content):
    names = notebook()
    call(names, 1)
    (file,) = (kept.CACHE / "runs").glob("*.json")
    file.write_text(content)
    kept.RESULTS.mkdir()
    (kept.RESULTS / "little.json").write_text(content)
    with contextlib.redirect_stderr(io.StringIO()) as told:
        assert call(notebook(), 1)["area"] == 4
    assert CALLS == [(1, 3)] and "is damaged" in told.getvalue()


# ---- what things mean


HOME = "__main__"


def test_a_module_of_the_book_is_all_that_it_imports_and_another_one_its_name(monkeypatch):
    import math

    from snippets.attention import masks, scaled_dot_product
    from snippets.tools import timing

    assert meant(math, HOME) == "math" and meant(timing, HOME) == "snippets.tools.timing"
    assert (
        module._module("book.artifacts.labs") == "book.artifacts.labs"
        and module._module("snippets.attention") == "snippets.attention"
    )
    assert meant(torch.nn.Linear, HOME) == "torch.nn.modules.linear.Linear"
    assert meant(torch.relu, HOME).endswith("relu") and " at 0x" not in meant(torch.relu, HOME)
    by_file = meant(masks, HOME)
    assert by_file.startswith("snippets.attention.masks ") and len(by_file.split()[1]) == 64
    assert meant(masks.causal_mask, HOME) == f"{by_file}.causal_mask"
    assert meant(masks.causal_mask, HOME) != meant(masks.padding_mask, HOME)
    assert meant(scaled_dot_product, HOME).split()[1] != by_file.split()[1]
    files = module.sources([ROOT / "snippets" / "attention" / "masks.py"], ROOT)
    assert by_file.split()[1] == module.fingerprint(files, ROOT, packages=())


def test_tools_that_a_module_imports_compute_nothing(tmp_path, monkeypatch):
    for name, text in (("one.py", "from snippets.tools import t\nx = 1\n"), ("tools/t.py", "y = 1\n")):
        (tmp_path / "snippets" / "tools").mkdir(parents=True, exist_ok=True)
        (tmp_path / "snippets" / name).write_text(text)
    monkeypatch.setattr(kept, "ROOT", tmp_path)

    def now() -> str:
        module._module.cache_clear()
        return module._module("snippets.one")

    before = now()
    (tmp_path / "snippets" / "tools" / "t.py").write_text("y = 2\n")
    assert now() == before
    (tmp_path / "snippets" / "one.py").write_text("x = 2\n")
    assert now() != before
    module._module.cache_clear()


class Point:
    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [2, 1]),
        ([1, 2], [1, 2, 2]),
        ((1,), (True,)),
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"b": 1}),
        (0.1, 0.1 + 1e-16),
        ("1", 1),
        (range(3), range(4)),
        (torch.tensor([1.0]), torch.tensor([2.0])),
        (Point(1), Point(2)),
        ([Point(1)], [[]]),
        (staticmethod(len), classmethod(len)),
        (property(str), property(repr)),
        (property(None, str), property(None, repr)),
        (None, 0),
    ],
)
def test_values_that_differ_mean_something_else(one, other):
    assert meant(one, HOME) != meant(other, HOME)
    assert meant(one, HOME) == meant(one, HOME) and " at 0x" not in meant(one, HOME)


def test_equal_values_mean_the_same_and_a_list_is_as_good_as_a_tuple():
    assert meant(Point(1), HOME) == meant(Point(1), HOME)
    assert meant([1, (2,)], HOME) == meant((1, [2]), HOME)
    assert meant(Cached(Point.__init__, "x"), __name__) == meant([Point.__init__], __name__)[1:-1]


def test_what_uses_itself_ends():
    names = notebook(CODE + "\ndef again(n):\n    return n and again(n - 1)\n")
    assert "itself" in meant(names["again"], HOME)
    knot: list = [1]
    knot.append(knot)
    assert meant(knot, HOME) == "[1, itself]"
    assert meant([Point, Point], HOME).count("itself") == 0, "what is named twice is no knot"


def test_of_a_function_in_a_function_counts_what_it_uses_and_what_it_keeps():
    code = "A = {a}\n\ndef outer(x):\n    def inner():\n        return x + A\n    return inner\n"

    def of(a: int, x: int) -> str:
        linecache.cache["<outer>"] = (len(code), None, code.splitlines(keepends=True), "<outer>")
        names = {"__name__": HOME}
        exec(compile(code.format(a=a), "<outer>", "exec"), names)
        return meant(names["outer"](x), HOME) + meant(names["outer"], HOME)

    assert of(1, 2) == of(1, 2) and len({of(1, 2), of(2, 2), of(1, 3)}) == 3


def test_defaults_of_what_a_function_uses_count():
    names = notebook()
    assert " [0.5] " in meant([names["rate"]], HOME)
    assert " [0.5] " not in meant(names["rate"], HOME), "its own are among its arguments"


def test_code_without_a_source_is_told_apart_too():
    names: dict = {"__name__": HOME}
    exec("f = lambda x: x + 1\ng = lambda x: x - 1", names)
    with pytest.raises(OSError):
        inspect.getsource(names["f"])
    assert meant(names["f"], HOME) != meant(names["g"], HOME)


def test_a_bar_shows_what_is_trained_unless_others_are_trained_beside(monkeypatch):
    with contextlib.redirect_stderr(io.StringIO()) as told:
        assert list(progress(3, "one model")) == [0, 1, 2]
        assert "one model" in told.getvalue() and "3/3" in told.getvalue() and "step/s" in told.getvalue()
    monkeypatch.setattr(module, "parent_process", lambda: object())
    with contextlib.redirect_stderr(io.StringIO()) as told:
        assert list(progress(3, "one model")) == [0, 1, 2] and told.getvalue() == ""


def test_results_of_two_functions_are_kept_under_their_own_names(folders):
    assert cached("a")(Point.__init__).name == "a"
    assert cached("a")(Point.__init__)._file("k") == kept.CACHE / "runs" / "a-k"


def test_a_function_whose_results_are_remembered_means_itself():
    def one(x: list[str]) -> list[int]:
        return [len(x), 1]

    def other(x: list[str]) -> list[int]:
        return [len(x), 2]

    remembered = [functools.cache(function) for function in (one, other)]
    assert [meant(function, __name__) for function in remembered] == [meant(one, __name__), meant(other, __name__)]
    assert meant(one, __name__) != meant(other, __name__)
