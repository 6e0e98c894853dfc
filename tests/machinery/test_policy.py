"""What a page may load and run."""

from __future__ import annotations

import base64
import hashlib

from book.finish import policy

SCRIPT = '\n  "가" < 1\n'


def test_the_scripts_in_a_page_are_named_by_their_hash():
    page = f'{policy.PLACE}<script>{SCRIPT}</script><script src="a.js"></script>'
    written = policy.written(page)
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode("utf-8")).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}'; style-src" in written and written.count("sha256-") == 1
    assert written.endswith(page.removeprefix(policy.PLACE)) and 'content=""' not in written


def test_a_page_without_scripts_may_run_none_of_its_own():
    assert "script-src 'self'; style-src" in policy.written(policy.PLACE)


def test_a_page_without_a_place_stays_as_it_is():
    assert policy.written("<p>") == "<p>" == policy.without("<p>")


def test_a_page_that_is_being_written_has_no_policy():
    assert policy.without(f"<p>{policy.PLACE}<p>") == "<p><p>"
