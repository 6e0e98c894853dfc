"""How the tests are shared out to one process for each core of the machine.

What takes long and is needed by several files is made by one of the processes. ``pytest`` alone shares out;
with files or tests named, and with ``-n 0``, everything runs in this process, one after the other.
"""

from __future__ import annotations

import os

import pytest
from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["book.collect"]

#: Files that need the same thing, which is made once: all tests of a file run in the same process anyway.
TOGETHER = {
    "tests/machinery/test_browser.py": "the site",
    "tests/machinery/test_figures.py": "the site",  # drawn for it
    "tests/machinery/test_labs.py": "the site",
    "tests/machinery/test_site.py": "the site",
    "tests/machinery/test_build.py": "the little book",
    "tests/machinery/test_serve.py": "the little book",
}
#: Files whose tests have nothing in common, and take long.
APART = {"tests/machinery/test_mutations.py", "tests/machinery/test_pages.py"}


class Scheduling(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if file in APART else TOGETHER.get(file, file)


def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log)


def pytest_xdist_auto_num_workers(config):
    """None of its own to start for a test or two; else what the plugin finds."""
    return None if config.args_source is pytest.Config.ArgsSource.TESTPATHS else 0


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        os.environ["OMP_NUM_THREADS"] = "1"  # of torch, here and in what is started: the other cores have tests too
