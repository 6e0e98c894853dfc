"""Firefox, and WebKit, the engine of Safari, as Debian and Ubuntu have them: WebDriver's commands over HTTP, or, for
Firefox without another program, over the socket that it opens by itself (Marionette)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

#: Seconds for a browser to start, and for a page to become what is waited for.
START, WAIT = 90, 60
#: By engine, the programs that it takes: of each row one is enough.
PROGRAMS = {
    "firefox": [["firefox-esr", "firefox"]],
    "webkit": [["WebKitWebDriver"], ["Xvfb"]],
}
#: What has them on Debian and Ubuntu.
PACKAGES = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver xvfb"}


def missing(engine: str) -> str:
    """What to install, if anything."""
    there = all(any(map(shutil.which, programs)) for programs in PROGRAMS[engine])
    return "" if there else f"no {engine}: apt-get install {PACKAGES[engine]}"


class Tab:
    """One page in one browser."""

    def __init__(self, go: Callable[[str], None], run: Callable[[str, list], object]) -> None:
        self.go, self._run = go, run

    def run(self, script: str, *arguments):
        """What a function's body returns on the page; ``arguments`` are its ``arguments``."""
        return self._run(script, list(arguments))

    def wait(self, script: str, *arguments, until: Callable[[object], bool] = bool):
        """The same, once it is what ``until`` says: neither empty nor false."""
        end = time.monotonic() + WAIT
        while not until(value := self.run(script, *arguments)):
            assert time.monotonic() < end, f"after {WAIT} s it is still {value!r}: {script}"
            time.sleep(0.1)
        return value


@contextmanager
def tab(engine: str) -> Iterator[Tab]:
    """A browser of its own, with an empty profile."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        yield {"firefox": _firefox, "webkit": _webkit}[engine](stack, Path(folder))


def _started(stack: ExitStack, command: list[str], **options) -> subprocess.Popen:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def end() -> None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(end)
    return process


def _until(answer: Callable[[], object], what: str):
    end = time.monotonic() + START
    while True:
        try:
            return answer()
        except OSError:
            assert time.monotonic() < end, f"{what} does not start"
            time.sleep(0.1)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _firefox(stack: ExitStack, profile: Path) -> Tab:
    port = _free_port()
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    program = next(filter(shutil.which, PROGRAMS["firefox"][0]))
    _started(stack, [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)])
    line = stack.enter_context(_until(lambda: socket.create_connection(("127.0.0.1", port)), program))
    line.settimeout(START)
    incoming = stack.enter_context(line.makefile("rb"))

    def answer():
        """A message: its length, a colon, and as many bytes of JSON."""
        length = b""
        while (byte := incoming.read(1)) != b":":
            assert byte, f"{program} has ended"
            length += byte
        return json.loads(incoming.read(int(length)))

    answer()  # it says who it is

    def call(name: str, values: dict):
        message = json.dumps([0, 1, f"WebDriver:{name}", values]).encode()
        line.sendall(b"%d:%s" % (len(message), message))
        _, _, wrong, result = answer()
        assert not wrong, f"{name}: {wrong}"
        return result

    call("NewSession", {})
    return Tab(
        lambda address: call("Navigate", {"url": address}),
        lambda script, arguments: call("ExecuteScript", {"script": script, "args": arguments})["value"],
    )


def _webkit(stack: ExitStack, home: Path) -> Tab:
    # a screen that nobody sees; it writes the number that it has found for itself
    reads, writes = os.pipe()
    _started(stack, ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1280x1000x24"], pass_fds=[writes])
    os.close(writes)
    with os.fdopen(reads) as told:
        screen = told.readline().strip()
    assert screen, "Xvfb does not start"
    port = _free_port()
    environment = {**os.environ, "DISPLAY": f":{screen}", "HOME": str(home)}
    _started(stack, ["WebKitWebDriver", f"--port={port}"], env=environment)

    def call(method: str, path: str, values: dict | None = None):
        body = None if values is None else json.dumps(values).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}", body, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=START) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from error

    _until(lambda: call("GET", "/status"), "WebKitWebDriver")
    options = {"webkitgtk:browserOptions": {"args": ["--automation"]}}
    session = f"/session/{call('POST', '/session', {'capabilities': {'alwaysMatch': options}})['sessionId']}"
    stack.callback(call, "DELETE", session)
    return Tab(
        lambda address: call("POST", f"{session}/url", {"url": address}),
        lambda script, arguments: call("POST", f"{session}/execute/sync", {"script": script, "args": arguments}),
    )
