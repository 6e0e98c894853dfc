"""What is done in several processes is what would be done in one, in the same order."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import torch

from book import ROOT
from snippets.tools import in_parallel as module
from snippets.tools.in_parallel import in_parallel

# In words, since a new process can import no test that the mutation tests run.
THREADS = "__import__('torch').get_num_threads()"
PROCESS = "__import__('os').getpid()"
STARTED_AND_ENDED = "[clock.time() for clock in [__import__('time')] for pause in (0, 2) if not clock.sleep(pause)]"


@pytest.mark.thorough
def test_results_come_in_the_order_of_the_arguments_from_other_processes_of_one_thread():
    first, threads, process, last = in_parallel(eval, [("2 + 1",), (THREADS,), (PROCESS,), ("2 + 3",)])
    assert (first, threads, last) == (3, 1, 5)
    assert process != os.getpid()


@pytest.mark.thorough
def test_they_run_at_the_same_time_where_there_are_cores_for_it():
    (started, ended), (other_started, other_ended) = in_parallel(eval, [(STARTED_AND_ENDED,)] * 2)
    assert os.cpu_count() == 1 or (started < other_ended and other_started < ended)


@pytest.mark.thorough
def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="math domain error|expected a nonnegative"):
        in_parallel(math.sqrt, [(4,), (-1,)])


def test_a_new_process_computes_in_one_thread_and_ends_when_its_parent_has(monkeypatch):
    gone, done = threading.Event(), []

    class Parent:
        def join(self) -> None:
            done.append(("waited", gone.wait(10), threading.current_thread().daemon))

    monkeypatch.setattr(module.multiprocessing, "parent_process", Parent)
    monkeypatch.setattr(module.os, "_exit", done.append)
    before, others = torch.get_num_threads(), set(threading.enumerate())
    torch.set_num_threads(2)
    try:
        module.prepare()
        threads, early = torch.get_num_threads(), list(done)
    finally:
        gone.set()
        for watcher in set(threading.enumerate()) - others:
            watcher.join(10)  # or it would end this process
        torch.set_num_threads(before)
    assert (threads, early) == (1, [])
    assert done == [("waited", True, True), 1]


LONG = "__import__('time').sleep(600) or print(__import__('os').getpid())"
START = f"""
import os
from snippets.tools.in_parallel import processes

if __name__ == "__main__":
    with processes() as pool:
        print(*(pool.submit(os.getpid).result() for _ in range(1)), flush=True)
        pool.submit(eval, {LONG!r}).result()
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="asks by signal whether a process is there")
def test_processes_end_with_the_one_that_started_them_also_if_it_is_killed(tmp_path):
    file = tmp_path / "start.py"
    file.write_text(START, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen([sys.executable, str(file)], env=environment, stdout=subprocess.PIPE, text=True)
    with parent:
        worker = int(parent.stdout.readline())
        time.sleep(0.5)
        os.kill(worker, 0)  # it is there
        parent.send_signal(signal.SIGKILL)
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if _zombie(worker):
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the worker is still there after 10 s")


def _zombie(process: int) -> bool:
    """Has it ended, and nobody has asked how? So it may be in a container."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return False
