"""What was trained comes with the book, and belongs to today's code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from book import ROOT, results
from book.results import differences


@pytest.mark.parametrize("one", results.RESULTS, ids=lambda one: one.name)
def test_a_committed_result_was_made_by_todays_code(one):
    assert one.committed(), (
        f"snippets/results/{one.name}: snippets/{one.module}.py, or what it imports, is not the code that made it; "
        "run: python -m book.results"
    )


def test_every_committed_file_belongs_to_a_result():
    files = (path for path in (ROOT / "snippets" / "results").iterdir() if not path.name.startswith("."))
    assert {path.stem for path in files} == {one.name for one in results.RESULTS}


def test_the_first_losses_have_to_agree_and_seconds_need_not():
    losses = [3.0 / step for step in range(1, 31)]
    old = {"a": {"losses": losses, "seconds": 10.0}}
    assert not differences(old, {"a": {"losses": [loss * 1.0005 for loss in losses], "seconds": 70.0}})
    assert not differences(old, {"a": {"losses": [*losses[:10], *[0.5] * 20], "seconds": 1.0}}), "later, rounding grows"
    (said,) = differences(old, {"a": {"losses": [*losses[:9], 0.5, *losses[10:]], "seconds": 1.0}}, "result")
    assert said.startswith("result/a/losses: step 10 had 0.3, now 0.5")
    (said,) = differences(losses, [float("nan")] * 30, "result")
    assert said == "result: step 1 had 3, now nan"
    assert differences(old, {"b": old["a"]}) and differences(old, {"a": {**old["a"], "losses": losses[:-1]}})
    assert differences([old, old], [old]) and not differences([old, old], [old, old])


PROGRAM = """
import time
from book.processes import start

print(start("tests.machinery.waiting").pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks by signal whether a process is there")
def test_what_a_build_starts_ends_when_the_build_is_killed():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)
    with parent:
        child = int(parent.stdout.readline())
        time.sleep(1)
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
    for _ in range(100):
        try:
            os.kill(child, 0)
            with open(f"/proc/{child}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child is still there after 10 s")
