"""The search as a reader meets it: in Chromium, typed into the dialog of the built site."""

from __future__ import annotations

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

import pytest
import yaml
from playwright.sync_api import Page, expect

from book import LANGUAGES
from book.finish import search
from book.source import glossary
from tests.machinery.test_browser import DESKTOP, PHONE, browser, open_page  # noqa: F401

QUERIES = Path(__file__).with_name("queries.yml")
#: Of the queries of a language, so many have a right page among the first results; and how many queries there are.
SHARE, FIRST, LEAST = 0.95, 3, 100
#: Questions that nothing is tuned on, and the share of them that finds a right page.
APART, SHARE_APART = Path(__file__).with_name("queries_apart.yml"), 0.8
#: Bytes of what a reader loads to search, for each page of the book: no more than before this search was the book's
#: own, which loaded 620,000 for the 44 pages of that time.
LARGEST = 620_000 / 44
#: Processor time to the counted words and to the first answer, in times of a plain count of the words of the same text
#: (a phone takes some 0.1 s for that), and how often they are measured.
COUNTED, ANSWERED, TRIES = 6, 2.5, 5
ROOTS = {"ko": "", "en": "en/"}


class QueryError(ValueError):
    """A query in queries.yml that cannot be asked."""


def queries(language: str, pages: set[str], path: Path = QUERIES) -> dict[str, list[str]]:
    """The pages that answer each query. Raises ``QueryError`` for one whose page is not there."""
    tree = yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)
    (entries,) = (value for key, value in tree.value if key.value == language)
    found = {}
    for query, answers in entries.value:
        where = f"{path.name}:{query.start_mark.line + 1}: {query.value!r}"
        if query.value in found:
            raise QueryError(f"{where} stands here twice: remove one")
        if not isinstance(answers, yaml.SequenceNode) or not answers.value:
            raise QueryError(f"{where} needs a list of pages: write [part/page]")
        for answer in answers.value:
            if answer.value not in pages:
                raise QueryError(
                    f"{where} asks for {answer.value}, and there is no such page: name the one that answers"
                )
        found[query.value] = [answer.value for answer in answers.value]
    return found


BUTTON, BOX, STATUS = ".search-button", "dialog.search input", "dialog.search [role=status]"
#: What is found, and the page whose title this is or has the section.
LINKS, ITEMS = "dialog.search .found a", "dialog.search .found > li"
#: What the status says of nothing, and of something.
NOTHING, SOMETHING = re.compile("찾은 것이 없습니다|Nothing was found"), re.compile(r"^페이지 \d+개를|^\d+ pages? w")

#: Types each query, and notes the addresses of the first results once they are shown.
ASK = """async ([queries, first]) => {
    const box = document.querySelector("dialog.search input");
    const told = document.querySelector("dialog.search [role=status]");
    const found = [];
    for (const query of queries) {
        await new Promise((done) => {
            const seen = new MutationObserver(() => { seen.disconnect(); setTimeout(done); });
            seen.observe(told, { childList: true });
            box.value = query;
            box.dispatchEvent(new Event("input"));
        });
        const results = [...document.querySelectorAll("dialog.search .found > li")].slice(0, first);
        found.push(results.map((result) => new URL(result.querySelector("a").href).pathname));
    }
    return found;
}"""


def ready(page: Page) -> None:
    """The search is open, and the text of the book has come."""
    page.locator(BUTTON).click()
    page.locator(BOX).fill("xyzzyq")
    expect(page.locator(STATUS)).to_have_text(NOTHING, timeout=20_000)


def ask(page: Page, question: str) -> None:
    page.locator(BOX).fill(question)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_a_right_page_is_among_the_first_results(open_page, site, language, every):  # noqa: F811
    share, told = _share(open_page, site, language, QUERIES, LEAST, every)
    assert share >= SHARE, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_so_it_is_for_questions_that_nothing_was_tuned_on(open_page, site, language):  # noqa: F811
    share, told = _share(open_page, site, language, APART, 30)
    assert share >= SHARE_APART, told


def _share(open_page, site, language: str, path: Path, least: int, every: int = 1) -> tuple[float, str]:  # noqa: F811
    """Of the queries of a file, those that find a right page, and which do not."""
    root = ROOTS[language]
    pages = {
        re.sub("(^|/)$", r"\1index", address) if address in ("", *_indexes(site)) else address.strip("/"): address
        for address in site.documents(language)
    }
    asked = queries(language, set(pages), path)
    assert len(asked) >= least, f"{len(asked)} queries in {language}"
    asked = dict(list(asked.items())[::every])
    page = open_page(root)
    ready(page)
    missed = []
    for (query, answers), paths in zip(asked.items(), page.evaluate(ASK, [list(asked), FIRST]), strict=True):
        found = [unquote(path).removeprefix(f"/{root}") for path in paths]
        if not {pages[answer] for answer in answers} & set(found):
            missed.append(f"{query}: found {', '.join(found) or 'nothing'}, and not {' or '.join(answers)}")
    share = 1 - len(missed) / len(asked)
    told = "\n  ".join([f"{language}: {share:.1%} of {len(asked)} queries find a right page; these do not:", *missed])
    print(told)
    return share, told


def _indexes(site) -> set[str]:
    """Addresses of the first pages of parts: others stand below them."""
    every = set(site.documents("ko"))
    return {address for address in every if any(other != address and other.startswith(address) for other in every)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ko:\n  a: [gone/page]\n", "queries.yml:2: 'a' asks for gone/page, and there is no such page"),
        ("ko:\n  a: [part/page]\n  a: [part/page]\n", "queries.yml:3: 'a' stands here twice"),
        ("ko:\n  a: part/page\n", "queries.yml:2: 'a' needs a list of pages"),
        ("ko:\n  a: []\n", "queries.yml:2: 'a' needs a list of pages"),
    ],
)
def test_a_query_that_cannot_be_asked_is_named_with_its_line(tmp_path, text, said):
    (tmp_path / "queries.yml").write_text(text, encoding="utf-8")
    with pytest.raises(QueryError, match=re.escape(said)):
        queries("ko", {"part/page"}, tmp_path / "queries.yml")


# ---- when it is loaded, and how much


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_loaded_to_search_has_not_grown(site, language):
    folder = site.directory / ROOTS[language]
    files = [folder / "search" / "text.json", *(site.directory / "assets/js/search").rglob("*.js")]
    sizes = {path.name: path.stat().st_size for path in files}
    assert sum(sizes.values()) <= LARGEST * len(site.documents(language)), sizes
    assert [path.name for path in (folder / "search").iterdir()] == ["text.json"], "nothing for the theme's own search"


def _loads(page: Page) -> list[str]:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


@pytest.mark.parametrize(
    "how", ["/", "phone", *(pytest.param(how, marks=pytest.mark.thorough) for how in ("click", "s", "f"))]
)
def test_the_text_is_loaded_when_a_reader_wants_to_search(open_page, how):  # noqa: F811
    page = open_page("", **({"viewport": PHONE} if how == "phone" else {}))
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert not [name for name in loaded if re.search(r"text\.json|/search/", name)], "not before"
    with page.expect_response(re.compile(r"/search/text\.json$")):
        if how in ("phone", "click"):
            page.locator(BUTTON).click()
        else:
            page.keyboard.press(how)
    expect(page.locator(BOX)).to_be_focused()
    expect(page.locator(BOX)).to_have_value("")


@pytest.mark.thorough
def test_the_text_is_loaded_once(open_page):  # noqa: F811
    page = open_page("")
    asked = _loads(page)
    ready(page)
    ask(page, "마스크")
    page.keyboard.press("Escape")
    page.locator(BUTTON).click()
    ask(page, "잔차")
    expect(page.locator(LINKS).first).to_contain_text("잔차")
    assert len([url for url in asked if url.endswith("text.json")]) == 1


@pytest.mark.parametrize("lost", ["dialog.js", "worker.js", "text.json"])
def test_a_connection_that_was_lost_comes_back(open_page, lost):  # noqa: F811
    page = open_page("")
    page.context.route(f"**/{lost}", lambda route: route.abort("internetdisconnected"))
    with page.context.expect_event("requestfailed", lambda request: request.url.endswith(lost)):
        page.locator(BUTTON).click()
    ask(page, "마스크")  # not lost, though whoever should answer is not there yet
    page.context.unroute(f"**/{lost}")
    expect(page.locator(LINKS).first).to_contain_text("마스크", timeout=10_000)


def test_a_search_that_was_opened_without_a_connection_comes_to_life_with_it(open_page):  # noqa: F811
    page = open_page("", viewport=PHONE)
    page.context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("dialog.js")):
        page.locator(BUTTON).click()
    expect(page.locator(BOX)).to_be_focused()  # within the tap
    page.keyboard.type("마스크")
    page.context.set_offline(False)
    expect(page.locator(LINKS).first).to_contain_text("마스크", timeout=10_000)


@pytest.mark.parametrize("question", ["√d_k", "O(n²)", "top k"])
def test_letters_by_themselves_are_not_marked_on_the_page(open_page, question):  # noqa: F811
    page = open_page("en/")
    ready(page)
    ask(page, question)
    page.locator(LINKS).first.click()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    assert [text for text in page.locator("article mark").all_text_contents() if len(text) < 3] == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "question"),
    [("ko", "멀티 해드 어텐션이 왜 필요한가요"), ("en", "why do we need multi-haed attention")],
)
def test_first_results_come_soon_on_a_phone(open_page, site, language, question):  # noqa: F811
    """Processor time of counting the words, which starts when the reader opens the search box, and of the first answer
    after that: each in times of what a plain count of the same words takes in the same page, which a slow machine
    and one that has other things to do slow down as much. The least of several."""
    counting, answering = [], []
    for _ in range(TRIES):
        page = open_page(ROOTS[language])
        page.evaluate(LOAD)
        developer = page.context.new_cdp_session(page)
        developer.send("Performance.enable", {"timeDomain": "threadTicks"})
        times = [_used(developer)]
        for step in (PLAIN_COUNT, "() => { window.search = new Search(JSON.parse(text)) }"):
            page.evaluate(step)
            times.append(_used(developer))
        assert page.evaluate("question => answer(search, question).pages.length", question)
        times.append(_used(developer))
        plain, counted, answered = (after - before for before, after in pairwise(times))
        counting.append(counted / plain)
        answering.append(answered / plain)
        page.close()
    print(language, [[round(ratio, 2) for ratio in ratios] for ratios in (counting, answering)])
    assert min(counting) < COUNTED and min(answering) < ANSWERED


PLAIN_COUNT = """() => {
    const counts = new Map();
    for (const word of text.toLowerCase().match(/\\p{L}+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
    window.counts = counts;
}"""
LOAD = """async () => {
    window.text = await (await fetch("search/text.json")).text();
    for (const name of ["search", "shown"])
        Object.assign(window, await import(`/assets/js/search/${name}.js`));
}"""


def _used(developer) -> float:
    """Seconds that the page's thread has worked."""
    metrics = {metric["name"]: metric["value"] for metric in developer.send("Performance.getMetrics")["metrics"]}
    return metrics["TaskDuration"]


# ---- what a reader does


def test_a_term_leads_to_its_row_of_the_glossary(open_page, site):  # noqa: F811
    terms = {term.id: term for term in glossary.terms()}
    cross, residual = terms["cross-attention"], terms["residual-connection"]
    (other,) = {"skip connection"} & {*residual.names}
    for language, term, name in (("ko", cross, cross.ko), ("en", residual, other)):
        page = open_page(ROOTS[language])
        ready(page)
        ask(page, name)
        row = page.locator(f"{LINKS}[href*='#term-{term.id}']")
        expect(row).to_contain_text(term.name(language))
        row.click()
        expect(page).to_have_url(re.compile(rf"{search.address(search.GLOSSARY)}\?h=.*#term-{term.id}$"))
        expect(page.locator(f"#term-{term.id}")).to_be_in_viewport()


def test_how_much_is_found_is_read_out(open_page):  # noqa: F811
    page = open_page("en/")
    ready(page)
    status = page.get_by_role("dialog", name="Search").get_by_role("status")
    expect(status).to_have_text("Nothing was found.")
    ask(page, "rotary embeddings")
    expect(status).to_have_text(SOMETHING)
    ask(page, "")
    expect(status).to_have_text("Type what you are looking for.")
    expect(page.locator(LINKS)).to_have_count(0)


def test_what_is_pasted_or_composed_is_searched_for(open_page):  # noqa: F811
    """It comes without keys."""
    page = open_page("")
    ready(page)
    page.locator(BOX).fill("")
    page.keyboard.insert_text("가중치 공유")
    expect(page.locator(LINKS).first).to_have_attribute("href", re.compile("positions/tokens/"))


def test_a_link_may_ask(open_page, site):  # noqa: F811
    page = open_page(f"en/?q={quote('nan in attention')}")
    first = page.locator(LINKS).first
    expect(first).to_have_attribute("href", re.compile("en/attention/masks/"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/en/attention/masks/\?h=nan.*#fully-masked$"))
    expect(page.locator("dialog.search")).to_be_hidden()
    marks = page.locator("article mark")
    expect(marks.first).to_be_attached()
    marked = {text.lower() for text in marks.all_inner_texts()}
    assert "nan" in marked and "in" not in marked, "words that every question has are not marked"


def test_keys_go_through_what_is_found_and_back_to_what_is_typed(open_page):  # noqa: F811
    page = open_page("en/attention/masks/")
    ready(page)
    ask(page, "attention")
    links = page.locator("dialog.search .found").locator("li > a, summary")
    expect(links.nth(2)).to_be_visible()
    for key, focused in (
        ("ArrowDown", links.nth(0)),
        ("ArrowDown", links.nth(1)),
        ("ArrowUp", links.nth(0)),
        ("ArrowUp", page.locator(BOX)),
        ("ArrowUp", links.last),
        ("ArrowDown", page.locator(BOX)),
    ):
        page.keyboard.press(key)
        expect(focused).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("s n")  # keys of the page, elsewhere
    expect(page.locator(BOX)).to_have_value("attentions n")
    page.locator(BOX).fill("attention")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?h=attention"))


def test_a_fold_shows_more_of_a_page_and_keys_go_through_it(open_page):  # noqa: F811
    page = open_page("en/")
    ready(page)
    ask(page, "residual connection")
    fold = page.locator("dialog.search details").first
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(fold.locator("a").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(fold.locator("a").first).to_be_focused()


@pytest.mark.parametrize("how", ["Escape", "button", "beside"])
def test_closing_leaves_the_reader_where_they_were(open_page, how):  # noqa: F811
    page = open_page("attention/masks/", viewport=DESKTOP)
    page.evaluate("scrollTo(0, 500)")
    before = page.evaluate("[scrollY, document.documentElement.clientWidth]")
    ready(page)
    if how == "Escape":
        page.keyboard.press("Escape")
    elif how == "button":
        page.locator("dialog.search .close").click()
    else:
        page.mouse.click(20, 400)
    expect(page.locator("dialog.search")).to_be_hidden()
    expect(page.locator(BUTTON)).to_be_focused()
    assert page.evaluate("[scrollY, document.documentElement.clientWidth]") == before


def test_keys_of_a_text_field_are_letters_there(open_page):  # noqa: F811
    page = open_page("")
    page.evaluate("document.querySelector('article').prepend(document.createElement('textarea'))")
    page.locator("article textarea").focus()
    page.keyboard.type("s/f")
    expect(page.locator("article textarea")).to_have_value("s/f")
    page.locator("h1").click()
    page.keyboard.press("Control+s")
    expect(page.locator("dialog.search")).to_be_hidden()


def test_the_word_that_is_typed_can_be_completed(open_page):  # noqa: F811
    page = open_page("en/")
    ready(page)
    ask(page, "the resid")
    expect(page.locator("dialog.search .completion")).to_have_text("the residual")
    page.keyboard.press("ArrowRight")
    expect(page.locator(BOX)).to_have_value("the residual")
    page.locator("dialog.search .clear").click()
    expect(page.locator(BOX)).to_have_value("")
    expect(page.locator(BOX)).to_be_focused()
    expect(page.locator(LINKS)).to_have_count(0)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["wide", "phone"])
def test_the_page_does_not_move_when_the_search_opens(open_page, viewport):  # noqa: F811
    page = open_page("en/attention/masks/", viewport=viewport)
    page.wait_for_timeout(500)  # what a page moves while it comes in is another test's
    page.evaluate("""() => {
        window.moved = [];
        const sources = ({ value, sources }) => [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))];
        const seen = new PerformanceObserver((list) => moved.push(...list.getEntries().map(sources)));
        seen.observe({ type: "layout-shift" });
    }""")
    page.keyboard.press("/")
    ask(page, "residual")
    expect(page.locator(LINKS).first).to_be_visible()
    box = page.locator("dialog.search").bounding_box()
    if viewport == PHONE:
        assert box == {"x": 0, "y": 0, **viewport}, "all of the screen"
    else:
        assert box["height"] < viewport["height"] and box["width"] < viewport["width"]
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    assert page.evaluate("moved") == []


def test_a_link_that_asked_is_answered_once(open_page):  # noqa: F811
    page = open_page("en/?q=residual")
    expect(page.locator(LINKS).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/en/$"))


@pytest.mark.thorough
def test_it_works_below_a_folder_of_a_host(browser, site):  # noqa: F811
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site.directory.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/{site.directory.name}/"
    page = browser.new_page(viewport=DESKTOP)
    page.goto(f"{root}en/block/", wait_until="networkidle")
    ready(page)
    ask(page, "rotary embeddings")
    address = re.compile(rf"^{re.escape(root)}en/positions/rope/")
    expect(page.locator(LINKS).first).to_have_attribute("href", address)
    page.close()
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.mark.thorough
def test_a_notebook_page_searches_too(open_page, site):  # noqa: F811
    page = open_page("labs/post-pre-ln/")
    ready(page)
    ask(page, "레이어놈")
    link = page.locator(LINKS).first
    expect(link).to_have_attribute("href", re.compile(rf"^{re.escape(urljoin(site.address, 'block/'))}"))


@pytest.mark.thorough
def test_it_runs_with_scripts_of_this_site_only(open_page, site):  # noqa: F811
    """A worker from a file of the site, no code from text: ``worker-src 'self'`` is enough."""
    page = open_page("")
    policy = "script-src 'self' 'unsafe-inline'; worker-src 'self'; connect-src 'self'"

    def answer(route):
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, "content-security-policy": policy})

    page.route("**/*", answer)
    page.reload(wait_until="networkidle")
    ready(page)
    ask(page, "마스크")
    expect(page.locator(LINKS).first).to_contain_text("마스크")
