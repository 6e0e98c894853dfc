"""``mkdocs serve``: an edit shows at once, and building does not set off another build."""

from __future__ import annotations

import os
import re
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
PATIENCE = 15.0  # seconds for what takes about one; a slow machine under load is no defect
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
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.1)
        pytest.fail(f"{path or 'the first page'} does not say {text!r} after {PATIENCE} s:\n{self.log.read_text()}")

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


def test_edits_show_within_seconds_and_no_build_follows_by_itself(server, little_book):
    server.wait_for("page/", "두 배")
    server.wait_for("en/page/", "Twice")
    edits = [
        ("docs/ko/page.md", "두 배는", "두 곱절은", "page/"),
        ("docs/en/page.md", "Twice the number", "Two times the number", "en/page/"),
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
    assert server.builds() == 1 + len(edits), f"each edit is one build, not more:\n{server.log.read_text()}"
    assert (little_book / "docs/assets/figures/part/doubled.ko.svg").stat().st_mtime > file.stat().st_mtime
