"""``mkdocs serve``: an edit shows at once, and building does not set off another build."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

TWICE, DOUBLES = (
    f'{docs}"""\n    return {code}' for docs, code in [("Twice ``x``.", "2 * x"), ("Doubles ``x``.", "x + x")]
)
PATIENCE = 30.0  # seconds for what takes a few; a slow machine under load is no defect
QUIET = 4.0  # seconds in which a rebuild loop would build again


class Server:
    """A running ``mkdocs serve``."""

    def __init__(self, project, log) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        self.url, self.log = f"http://{address}/", log
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
        with log.open("w") as output:
            command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", address]
            self.process = subprocess.Popen(command, cwd=project, env=environment, stdout=output, stderr=output)

    def wait_for(self, path: str, text: str) -> float:
        """Seconds until the page at ``path`` says ``text``."""
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE:
            assert self.process.poll() is None, f"mkdocs serve ended:\n{self.log.read_text()}"
            try:
                with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as page:
                    if text in page.read().decode("utf-8"):
                        return time.monotonic() - start
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(0.1)
        pytest.fail(f"{path or 'the first page'} does not say {text!r} after {PATIENCE} s:\n{self.log.read_text()}")

    def wait_for_error(self, path: str) -> str:
        """What a page says when the build fails."""
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE:
            try:
                urllib.request.urlopen(self.url + path, timeout=PATIENCE).close()
            except urllib.error.HTTPError as error:
                with error:
                    return error.read().decode("utf-8")
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(0.1)
        pytest.fail(f"{path} shows no error after {PATIENCE} s:\n{self.log.read_text()}")

    def builds(self) -> int:
        return len(re.findall(r"Building documentation\.\.\.", self.log.read_text()))


@pytest.fixture
def server(little_book, tmp_path):
    server = Server(little_book, tmp_path / "serve.log")
    yield server
    server.process.terminate()
    try:
        server.process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        server.process.kill()


@pytest.mark.thorough
def test_edits_show_within_seconds_and_no_build_follows_by_itself(server, little_book):
    server.wait_for("page/", "두 배")
    server.wait_for("en/page/", "Twice")
    edits = [
        ("docs/ko/page.md", "두 배는", "두 곱절은", "page/"),
        ("docs/en/page.md", "Twice the number", "Two times the number", "en/page/"),
        ("docs/en/page.md", "Two times the number", "Thrice the number", "en/page/"),
        ("docs/glossary.yml", "Numbers in a row", "Several numbers", "en/page/"),
        ("snippets/part/doubling.py", TWICE, DOUBLES, "en/page/"),  # draws a figure, too
    ]
    for name, old, new, page in edits:
        file = little_book / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")
        expected = re.search(r"[\w ]+", new)[0]
        print(f"{name}: shown after {server.wait_for(page, expected):.1f} s")
    time.sleep(QUIET)
    # and the lab, which uses what was edited last, is shown once more when it has been executed
    assert server.builds() == 1 + len(edits) + 1, f"each edit is one build, not more:\n{server.log.read_text()}"
    assert (little_book / "docs/assets/figures/part/doubled.ko.svg").stat().st_mtime > file.stat().st_mtime
    server.wait_for("page/", "두 곱절은")
    server.wait_for("en/page/", "Thrice the number")


def _ready(server) -> None:
    server.wait_for("page/", "두 배")
    time.sleep(1)  # the first look of the watcher


def _write(file, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.thorough
def test_the_edit_of_a_cell_is_one_build_and_what_is_no_source_is_none(server, little_book):
    _ready(server)
    for name in ("snippets/part/__pycache__/doubling.cpython-311.pyc", "docs/ko/.#page.md", "docs/ko/page.md~"):
        (little_book / name).parent.mkdir(exist_ok=True)
        (little_book / name).write_text("no source")
    time.sleep(QUIET)
    assert server.builds() == 1, f"these files are part of no page:\n{server.log.read_text()}"
    (little_book / "docs/ko/.#page.md").unlink()
    _write(little_book / "snippets" / "labs" / "lab.md", "double(21)", "double(22)")
    server.wait_for("en/labs/lab/", "(being executed: ")
    server.wait_for("en/labs/lab/", "2 x = 44")
    time.sleep(QUIET)
    assert server.builds() == 3, (
        f"one edit, one build, and another one with what it has put out:\n{server.log.read_text()}"
    )


@pytest.mark.thorough
def test_a_lab_that_fails_shows_why_until_it_is_mended(server, little_book):
    _ready(server)
    _write(little_book / "snippets" / "labs" / "lab.md", "double(21)", "double(2 / 0)")
    assert "could not execute the labs" in server.wait_for_error("en/labs/lab/")
    assert "ZeroDivisionError" in server.log.read_text()
    _write(little_book / "snippets" / "labs" / "lab.md", "double(2 / 0)", "double(23)")
    server.wait_for("en/labs/lab/", "2 x = 46")


@pytest.mark.thorough
def test_pages_are_shown_before_many_figures_are_drawn(little_book, tmp_path):
    made = little_book / "book" / "artifacts" / "made.py"
    _write(made, "AT_ONCE = 10", "AT_ONCE = 0")
    shutil.rmtree(little_book / "docs" / "assets" / "figures")
    server = Server(little_book, tmp_path / "first.log")
    try:
        server.wait_for("en/page/", 'class="waits"')
        server.wait_for("en/page/", "<svg")
        time.sleep(QUIET)
        assert server.builds() <= 3, f"one, one with figures, one with labs:\n{server.log.read_text()}"
    finally:
        server.process.terminate()
        server.process.wait()


@pytest.mark.thorough
def test_the_machinery_itself_can_be_edited(server, little_book):
    _ready(server)
    _write(little_book / "book" / "markdown" / "formulas.py", '"formula")', '"formula edited")')
    server.wait_for("page/", "formula edited")
    _write(
        little_book / "book" / "strings" / "en.yml",
        "permalink: Link to this section",
        "permalink: Link to what is here",
    )
    server.wait_for("en/page/", "Link to what is here")
    _write(little_book / "book" / "theme" / "main.html", "'article' if", "'edited' if")
    server.wait_for("en/page/", 'content="edited"')
    with urllib.request.urlopen(f"{server.url}en/page/", timeout=PATIENCE) as page:
        text = page.read().decode("utf-8")
    assert "livereload(" in text and "Content-Security-Policy" not in text, "the server's own script may run"


@pytest.mark.thorough
@pytest.mark.parametrize("language", [pytest.param("ko", marks=pytest.mark.thorough), "en"])
def test_a_build_that_fails_shows_why_until_it_is_mended(server, little_book, language):
    _ready(server)
    page = little_book / "docs" / language / "page.md"
    _write(page, "$2x$", r"$\frac{2x}{$")
    said = server.wait_for_error("page/")
    assert f"docs/{language}/page.md, line 7" in said and r"\frac{2x}{" in said
    _write(page, r"$\frac{2x}{$", "$3x$")
    server.wait_for("" if language == "ko" else "en/", "page")
    server.wait_for("page/" if language == "ko" else "en/page/", ">3x<")
