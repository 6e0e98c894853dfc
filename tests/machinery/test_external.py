"""Which addresses of others the book names, and which of them are gone."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from book import ROOT
from book.checks import external


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see [the paper](https://host.org/a), equation 1", "https://host.org/a"),
        ("[a](https://host.org/Attention_(machine_learning)).", "https://host.org/Attention_(machine_learning)"),
        ("(as in <https://host.org/a?b=1&c=2>)", "https://host.org/a?b=1&c=2"),
        ("source: 'http://host.org/a'", "http://host.org/a"),
        ("**https://host.org/a#part**.", "https://host.org/a"),
    ],
)
def test_an_address_is_found_without_what_stands_around_it(text, address):
    assert list(external.addresses_in(f"first line\n{text}\n")) == [(2, address)]


@pytest.mark.parametrize(
    "host", ["host.example", "book.invalid", "localhost:8000", "127.0.0.1:8000", "{host}", "HOST", "[::1]"]
)
def test_hosts_that_stand_for_any_are_not_asked(host):
    assert list(external.addresses_in(f"https://{host}/path")) == []


def test_the_book_names_its_sources():
    found = external.addresses(ROOT)
    paper = found["https://arxiv.org/abs/1706.03762"]
    assert any(where.startswith("docs/ko/") for where in paper) and any(where.startswith("docs/en/") for where in paper)
    for where in paper:
        path, _, number = where.rpartition(":")
        assert "1706.03762" in (ROOT / path).read_text(encoding="utf-8").splitlines()[int(number) - 1]


class Host(BaseHTTPRequestHandler):
    """Has pages by the number that they answer; `/get` answers nobody who asks for its head only."""

    def answer(self) -> None:
        number = {"/get": 405 if self.command == "HEAD" else 200}.get(self.path) or int(self.path[1:])
        self.send_response(number)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET = answer

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def host(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "wrong", "gone"),
    [("200", "", False), ("get", "", False), ("404", "404", True), ("410", "410", True), ("403", "403", False)],
)
def test_only_what_is_gone_for_everybody_is_gone(host, path, wrong, gone):
    said, is_gone = external.wrong_with(f"{host}/{path}")
    assert said.startswith(wrong) and bool(said) == bool(wrong) and is_gone is gone


def test_what_is_gone_is_said_with_file_and_line(host, monkeypatch, capsys):
    found = {f"{host}/200": ["docs/ko/a.md:1"], f"{host}/404": ["docs/ko/a.md:3", "docs/en/a.md:3"]}
    monkeypatch.setattr(external, "addresses", lambda root: found)
    with pytest.raises(SystemExit, match="True"):
        external.main()
    told = capsys.readouterr().out.splitlines()
    assert told == [
        f"gone: {host}/404 (404 Not Found)",
        "    docs/ko/a.md:3",
        "    docs/en/a.md:3",
        "2 addresses: 1 gone, 0 unclear",
    ]
    del found[f"{host}/404"]
    with pytest.raises(SystemExit, match="False"):
        external.main()


def test_a_host_without_an_answer_is_unclear():
    said, gone = external.wrong_with("http://127.0.0.1:9/")
    assert said.startswith("no answer") and not gone
