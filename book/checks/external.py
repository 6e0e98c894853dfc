"""Asks for every address of others that the book names, and says which are gone: ``python -m book external``.

A workflow does so once a week. No check and no test does: what others do with their pages is no fault of a change here.
"""

from __future__ import annotations

import re
import sys
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from book import ROOT
from book.source.text import lines_of, read

ADDRESS = re.compile(r"https?://[A-Za-z0-9][^\s<>\"'`\\{}|\]]+")
#: Hosts that stand for any, or for the reader's own machine.
NOBODY = re.compile(r"(^|\.)(example|invalid|test|localhost)$|^[\d.]+$|^[\w-]+$")
#: What a host answers of a page that is gone; other answers may be meant for programs only.
GONE = (404, 410)
SECONDS = 30
HEADERS = {"User-Agent": "Mozilla/5.0 (links of a textbook, once a week)", "Accept": "*/*"}


def addresses_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the address of each link, without the brackets and the full stop around it."""
    for number, line in enumerate(lines_of(text), start=1):
        for found in ADDRESS.findall(line):
            address = found.rstrip(".,;:!?*")
            while address.endswith(")") and address.count(")") > address.count("("):
                address = address[:-1].rstrip(".,;:!?*")
            host = urlsplit(address).hostname
            if host and not NOBODY.search(host):
                yield number, address.partition("#")[0]


def addresses(root: Path) -> dict[str, list[str]]:
    """Return where the book names each address, as file:line."""
    found: dict[str, list[str]] = defaultdict(list)
    files = [path for pattern in ("docs/**/*.md", "docs/**/*.yml", "*.md") for path in root.glob(pattern)]
    files += [path for folder in ("snippets", "exercises") for path in (root / folder).rglob("*.py")]
    for path in sorted(files):
        for number, address in addresses_in(read(path)):
            found[address].append(f"{path.relative_to(root).as_posix()}:{number}")
    return found


def wrong_with(address: str) -> tuple[str, bool]:
    """Return what is wrong with an address, '' if nothing is, and whether it is gone for everybody."""
    said = ""
    for method in ("HEAD", "GET"):  # some hosts answer the first to nobody
        request = urllib.request.Request(address, headers=HEADERS, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS):
                return "", False
        except urllib.error.HTTPError as error:
            said, gone = f"{error.code} {error.reason}", error.code in GONE
        except urllib.error.URLError as error:
            said, gone = f"no answer: {error.reason}", False
        except (OSError, ValueError) as error:
            said, gone = f"no answer: {error}", False
    return said, gone


def ask(found: dict[str, list[str]]) -> dict[str, tuple[str, bool]]:
    """Return what is wrong with the addresses of which something is: many hosts at once, but one question to each."""
    hosts: dict[str, list[str]] = defaultdict(list)
    for address in found:
        hosts[str(urlsplit(address).hostname)].append(address)

    def of_host(some: list[str]) -> list[tuple[str, tuple[str, bool]]]:
        return [(address, wrong) for address in some if (wrong := wrong_with(address))[0]]

    with ThreadPoolExecutor(16) as pool:
        return dict(one for some in pool.map(of_host, hosts.values()) for one in some)


def main() -> None:
    found = addresses(ROOT)
    wrong = ask(found)
    for address, (said, gone) in sorted(wrong.items(), key=lambda one: (not one[1][1], one[0])):
        print(f"{'gone' if gone else 'unclear'}: {address} ({said})")
        for where in found[address]:
            print(f"    {where}")
    count = sum(gone for _, gone in wrong.values())
    print(f"{len(found)} addresses: {count} gone, {len(wrong) - count} unclear")
    sys.exit(bool(count))


if __name__ == "__main__":
    main()
