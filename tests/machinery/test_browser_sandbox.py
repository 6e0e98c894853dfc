"""Pages run in the browser's sandbox wherever it has one."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest
import yaml

from book import ROOT
from book.finish import browser
from book.source.text import read


@pytest.mark.parametrize(("user", "on"), [(0, False), (1000, True)])
def test_a_browser_starts_in_its_sandbox_unless_root_starts_it(monkeypatch, user, on):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    started = []
    chromium = SimpleNamespace(launch=lambda **options: started.append(options))
    browser.launch(SimpleNamespace(chromium=chromium))
    (options,) = started
    assert options["chromium_sandbox"] is on
    assert not [one for one in options["args"] if "sandbox" in one], "an argument would switch it off for everybody"


def test_where_users_have_no_number_the_sandbox_is_on(monkeypatch):
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert browser.has_sandbox()


def test_no_workflow_starts_a_browser_as_root():
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        assert "no-sandbox" not in read(path)
        for name, job in yaml.safe_load(read(path))["jobs"].items():
            assert "container" not in job, f"{path.name}: {name} would run as root, for whom the browser has no sandbox"
