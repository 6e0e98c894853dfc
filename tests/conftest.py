"""What several files of tests need: the whole site, built once and served on this machine, and clones of the book."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from book import ROOT
from tests.machinery.little_book import LITTLE_BOOK, copy_machinery
from tests.machinery.site_checks import Site


class _Handler(SimpleHTTPRequestHandler):
    """As a static host does it: a missing address gets 404.html, which is the one at the root."""

    def send_error(self, code, message=None, explain=None):
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            return super().send_error(code, message, explain)
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def mkdocs(project: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run MkDocs in ``project``; what it printed is in ``stdout``."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=project,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=400,  # a build that hangs fails; the first one trains what the labs need
        text=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Site:
    """The site of this repository, built strictly, and served at ``site.address``."""
    directory = tmp_path_factory.mktemp("site")
    # Listening comes first, since the address is written into the pages.
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(directory)))
    address = f"http://127.0.0.1:{server.server_port}/"
    built = mkdocs(ROOT, "build", "--strict", "--site-dir", str(directory), SITE_URL=address)
    if built.returncode:
        server.server_close()
        pytest.fail(f"mkdocs build --strict fails:\n{built.stdout}", pytrace=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Site(directory, address, log=built.stdout)
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def _little_book(tmp_path_factory) -> Path:
    project = tmp_path_factory.mktemp("little") / "book"
    ignore = shutil.ignore_patterns("__pycache__", "figures", "touch", "weights")
    copy_machinery(project)
    shutil.copytree(ROOT / "docs" / "assets", project / "docs" / "assets", ignore=ignore)
    for name, text in LITTLE_BOOK.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings, replaced = re.subn(r"(?m)^nav:\n(?:[ #].*\n|\n)+", "nav: [index.md, page.md, labs/lab.md]\n\n", settings)
    assert replaced == 1, "mkdocs.yml: cannot find where nav starts and ends"
    settings, replaced = re.subn(r"(?m)^  moved:.*\n(?:    .*\n)*", "  moved: {past/old.md: page.md}\n", settings)
    assert replaced == 1, "mkdocs.yml: cannot find what has moved"
    (project / "mkdocs.yml").write_text(settings, encoding="utf-8")
    built = mkdocs(project, "build", "--strict")
    assert built.returncode == 0, f"the little book of tests/conftest.py does not build:\n{built.stdout}"
    return project


@pytest.fixture
def little_book(_little_book, tmp_path) -> Path:
    """A project of its own with the book's machinery, two pages and two drawn figures, for a test to break."""
    return Path(shutil.copytree(_little_book, tmp_path / "book", ignore=shutil.ignore_patterns("site")))


@pytest.fixture
def clone(tmp_path):
    """What is needed of a clone of the book that nobody has written an answer in: its exercises, and pytest there."""
    answers = [path.name for path in (ROOT / "exercises").glob("*/*.py") if path.name != "stages.py"]
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises", ignore=shutil.ignore_patterns("__pycache__", *answers))
    (tmp_path / "snippets").symlink_to(ROOT / "snippets", target_is_directory=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)

    def run_pytest(*arguments: str) -> str:
        command = [sys.executable, "-m", "pytest", *arguments]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "120", "CI": ""}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
        return done.stdout + done.stderr

    return tmp_path / "exercises", run_pytest
