"""The English site: the same configuration with its own directory, built in a process of its own.

The Korean build starts it when what both need is made, builds its own pages meanwhile, and waits for it at its end.
What it has to say comes back as lines of JSON, so that the Korean build says it, and counts its warnings as its own.
"""

from __future__ import annotations

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import traceback
from typing import IO
from urllib.parse import urljoin, urlsplit

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import BuildError

from book import ROOT
from book.processes import end_with_parent, start

LANGUAGE = "en"


def configuration(korean) -> dict[str, str | bool]:
    """Where the English site is, beside the Korean one. No strictness: its warnings count in the Korean build."""
    path = korean.extra["languages"][LANGUAGE]["path"]
    return {
        "config_file": korean.config_file_path,
        "site_dir": f"{korean.site_dir.rstrip('/')}/{path}",
        "site_url": urljoin(korean.site_url, path),
        "served": urlsplit(korean.site_url).hostname == "127.0.0.1",
    }


class EnglishBuild:
    """A build that runs beside the Korean one, or, where there is one core, after it.

    The book has been checked, figures are drawn, labs are executed, and the directory of the site is empty.
    """

    def __init__(self, korean) -> None:
        self.said: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process: subprocess.Popen = start(
            "book.adapters.english", json.dumps(configuration(korean)), stdout=self.said
        )

    def wait(self) -> None:
        """Say what it said. Raises ``BuildError`` if it failed."""
        code = self.process.wait()
        self.said.seek(0)
        last = ""
        for line in self.said:
            name, level, last = json.loads(line)
            logging.getLogger(name).log(level, last)
        self.end()
        if code:
            raise BuildError(f"The English site cannot be built: {last or 'its process was ended'}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None  # a pipe, which ``start`` opens
        self.process.stdin.close()
        self.said.close()


class _Lines(logging.Handler):
    """Writes records for whoever reads standard output; what is printed goes elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.output, sys.stdout = sys.stdout, sys.stderr

    def emit(self, record: logging.LogRecord) -> None:
        print(json.dumps([record.name, record.levelno, record.getMessage()]), file=self.output, flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m book english", description="Build the English site.")
    parser.add_argument("settings", help="as JSON: config_file, site_dir, site_url, served")
    settings = json.loads(parser.parse_args(arguments).settings)
    end_with_parent()
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.INFO)
    logger.addHandler(_Lines())
    served = settings.pop("served")
    try:
        config = load_config(**settings, docs_dir=str(ROOT / "docs" / LANGUAGE), strict=False)
        config.theme["language"] = LANGUAGE
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config, serve_url=config.site_url if served else None)
        finally:
            config.plugins.on_shutdown()
    except (Exception, SystemExit) as error:
        if not isinstance(error, SystemExit):  # MkDocs has said what is wrong with the book; this is wrong with code
            traceback.print_exc()
        logger.error(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
