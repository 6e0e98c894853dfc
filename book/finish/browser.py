"""The system's Chromium or Chrome, which prints the book and tests it."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright

#: What no print and no test needs: a graphics card, and what a new browser asks of its maker.
QUIET = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def program() -> str | None:
    """Return the path of Chromium or Chrome: ``CHROMIUM``, or the first that is found."""
    found = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    return os.environ.get("CHROMIUM") or next(filter(None, found), None)


def has_sandbox() -> bool:
    """Return whether the pages run in the browser's sandbox: always, unless root starts it, for whom it has none."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def launch(playwright: Playwright) -> Browser:
    """Return a browser that has just been started, in its sandbox. Playwright leaves the sandbox out if not asked."""
    return playwright.chromium.launch(executable_path=program(), chromium_sandbox=has_sandbox(), args=list(QUIET))
