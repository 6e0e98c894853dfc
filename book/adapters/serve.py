"""What ``mkdocs serve`` does better for this book: it passes over files that no page is made of, an error shows, and
the book is checked, its figures are drawn and its labs are executed while the rest can be read.

MkDocs leaves every request waiting after a build that fails, until another one succeeds.
"""

from __future__ import annotations

import hashlib
import html
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from mkdocs.config.config_options import Hooks

from book import ROOT
from book.processes import start

#: Set while the book is served, for its processes: the state of the machinery when the build began.
SERVED = "BOOK_SERVED"

#: Written to when figures or labs have been made: what is watched makes MkDocs build again.
MADE = ROOT / ".cache" / "made"

PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>This build fails</title><meta http-equiv="refresh" content="2"></head>
<body><h1>This build fails</h1><pre style="color: #b3261e; white-space: pre-wrap">{}</pre>
<p>The page comes back by itself as soon as that is mended.</p></body></html>
"""


def is_no_source(path: str) -> bool:
    """Byte code, and what editors and systems write beside a file."""
    parts = Path(path).parts
    return "__pycache__" in parts or parts[-1].startswith(".") or parts[-1].endswith(("~", ".part"))


def state_of(paths: Iterable[Path]) -> str:
    """Another one as soon as one of these files is written, comes or goes."""
    files = (path for path in paths if not is_no_source(str(path)) and path.is_file())
    written = sorted((str(path), path.stat().st_mtime_ns) for path in files)
    return hashlib.sha256(repr(written).encode()).hexdigest()


def machinery() -> str:
    """The state of what a build has read before it looks at a page."""
    return state_of([ROOT / "mkdocs.yml", *(ROOT / "book").rglob("*.py"), *(ROOT / "book").rglob("*.yml")])


class _Said(logging.Handler):
    """Errors and warnings of a build, as text."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Behind:
    """What a build leaves to be done while its pages are read: the book is checked, and ``make`` makes figures or labs,
    and returns whether there were any to be made."""

    def __init__(self, make: Callable[[], bool]) -> None:
        self.make = make
        self.checking: subprocess.Popen | None = None
        self.making: threading.Thread | None = None

    def go_on(self, fail: Callable[[str], None]) -> None:
        """After each build. ``fail`` is told what keeps a figure or a lab from being made."""
        if self.checking:  # how the book was before
            self.checking.kill()
            self.checking.wait()
        self.checking = start("book.checks")
        if not (self.making and self.making.is_alive()):
            self.making = threading.Thread(target=self._make, args=[fail], daemon=True)
            self.making.start()

    def _make(self, fail: Callable[[str], None]) -> None:
        try:
            while self.make():  # again, for what was edited meanwhile
                (MADE / "now").touch()
        except Exception as error:
            fail(str(error))


def improve(server, docs_dir: str, make_asked: Callable[[str], None], go_on_behind: Callable[[Callable], None]):
    """MkDocs' server, before it starts to watch. ``make_asked`` makes a notebook when somebody asks for it;
    ``go_on_behind`` begins, after each build, what none waits for, and is given what to call if that fails."""
    schedule, build, answer = server.observer.schedule, server.builder, server.serve_request
    failure: list[str] = []

    def schedule_sources(handler, path, **options):
        seen = handler.on_any_event
        handler.on_any_event = lambda event: None if is_no_source(event.src_path) else seen(event)
        return schedule(handler, path, **options)

    def build_or_tell() -> None:
        said = _Said()
        logging.getLogger("mkdocs").addHandler(said)
        try:
            forget_edited()
            build()
            failure.clear()
            go_on_behind(fail)
        except (Exception, SystemExit) as error:
            failure[:] = ["\n".join(dict.fromkeys([*said.lines, str(error)]))]
            print(f"{error}\nThe build fails; its pages say so until that is mended.", file=sys.stderr, flush=True)
        finally:
            logging.getLogger("mkdocs").removeHandler(said)

    def fail(reason: str) -> None:
        failure[:] = [reason]

    def answer_or_tell(environ, start_response):
        if (asked := environ["PATH_INFO"]).endswith(".ipynb") and not failure:
            make_asked(asked.removeprefix(server.mount_path).lstrip("/"))
        held: list[tuple] = []
        result = answer(environ, lambda *start: held.append(start))  # waits for a build that is going on
        if not failure or environ["PATH_INFO"].startswith("/livereload/"):
            start_response(*held[-1])
            return result
        if hasattr(result, "close"):
            result.close()
        start_response("500 Internal Server Error", [("Content-Type", "text/html; charset=utf-8")])
        return [PAGE.format(html.escape(failure[0])).encode()]

    server.observer.schedule, server.builder = schedule_sources, build_or_tell
    server.set_app(answer_or_tell)
    server.unwatch(docs_dir)  # and again, this time without what is no source
    server.watch(docs_dir)
    MADE.mkdir(parents=True, exist_ok=True)
    server.watch(str(MADE))
    go_on_behind(fail)
    return server


def forget_edited() -> None:
    """Let the machinery be imported anew if its code has changed since the last build."""
    before, os.environ[SERVED] = os.environ[SERVED], machinery()
    if before != os.environ[SERVED]:
        for name in [name for name in sys.modules if name.partition(".")[0] in ("book", "snippets")]:
            del sys.modules[name]
        Hooks._load_hook.cache_clear()  # MkDocs keeps hooks for as long as it runs
