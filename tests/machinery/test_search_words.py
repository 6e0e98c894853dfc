"""The scripts of the search by themselves, in a browser: words, names, slips, and what is shown of a result."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Route

from book import ROOT
from tests.machinery.test_browser import browser  # noqa: F401

SCRIPTS = ROOT / "docs" / "assets" / "js" / "search"
ADDRESS = "http://search.test/"

#: A little book: pages as book/finish/search.py writes them.
BOOK = {
    "pages": [
        {
            "url": "masks/",
            "title": "마스크",
            "about": "볼 수 있는 위치를 정합니다.",
            "weight": 1,
            "sections": [
                [
                    "",
                    "",
                    "어텐션(attention)은 마스크로 가립니다. 인과 마스크와 패딩 마스크가 있습니다. "
                    "앞의 것은 하삼각행렬입니다.",
                    "",
                ],
                [
                    "rows",
                    "볼 것이 없는 행",
                    "모두 가리면 결과가 nan이 됩니다. <b> & 나머지는 그대로입니다.",
                    "attn_mask softmax",
                ],
            ],
        },
        {
            "url": "residual/",
            "title": "잔차 연결",
            "about": "",
            "weight": 1,
            "sections": [["", "", "입력을 출력에 다시 더하는 잔차 연결(residual connection)은 기울기를 지킵니다.", ""]],
        },
        {
            "url": "sizes/",
            "title": "크기",
            "about": "",
            "weight": 1,
            "sections": [
                ["", "", "파라미터가 있는 곳을 봅니다. 하이퍼파라미터와 다릅니다.", "LayerNorm"],
                ["count", "세어 보기", "파라미터의 개수는 식으로 구합니다. 임베딩 행렬을 공유합니다.", "d_model"],
            ],
        },
        {
            "url": "norm/",
            "title": "층 정규화",
            "about": "",
            "weight": 1,
            "sections": [
                [
                    "",
                    "",
                    "층 정규화(layer normalization)는 평균과 분산을 맞춥니다. PyTorch에서는 LayerNorm입니다.",
                    "nn LayerNorm",
                ]
            ],
        },
    ],
    "terms": [
        ["잔차 연결", "residual connection", "스킵 커넥션", "shortcut"],
        ["층 정규화", "layer normalization", "레이어 노름", "layer norm"],
    ],
    "keys": [["sizes/", "count", ["모델 크기", "how many parameters"]], ["masks/", "", ["미래 가리기"]]],
}


@pytest.fixture(scope="module")
def run(browser: Browser):  # noqa: F811
    """Run JavaScript that sees what the scripts export, and ``book``, the search in the little book."""

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if name.endswith(".js"):
            route.fulfill(path=SCRIPTS / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(ADDRESS)
    page.evaluate(
        """async (book) => {
            for (const name of ["words", "search", "shown", "marks"])
                Object.assign(window, await import(`/${name}.js`));
            window.book = new Search(book);
        }""",
        BOOK,
    )
    yield page.evaluate
    page.close()


def stems(run, text: str) -> list[str]:
    return run("text => tokens(text).map(token => token.stem)", text)


def pages(run, question: str) -> list[str]:
    return run("question => book.find(question).map(({page}) => page.url.slice(0, -1))", question)


# ---- words


@pytest.mark.parametrize(
    "same",
    [
        "어텐션 어텐션은 어텐션이 어텐션을 어텐션의 어텐션에서 어텐션으로 어텐션과 어텐션에는 어텐션이란 어텐션인가요",
        "층 층은 층을 층의 층에서",
        "값 값을 값이 값은",
        "필요 필요한가 필요한가요 필요하나요 필요합니다 필요해요 필요한",
        "정규화 정규화는 정규화하는 정규화하면 정규화합니다 정규화된 정규화됩니다 정규화해야",
        "공유 공유하는 공유하나요 공유하면 공유한다",
        "나누 나누는 나누나요 나누는가 나누는지 나누면 나누고",
        "트랜스포머 트랜스포머는 트랜스포머가 트랜스포머에서는",
        "embedding embeddings Embedding",
        "normalization normalisation normalize normalised normalizing",
        "mask masks masked masking",
        "position positions positional",
        "d_k dₖ dk D_K",
        "attn_mask attnmask",
    ],
)
def test_a_word_is_the_same_with_all_that_grammar_adds(run, same):
    assert len({"".join(stems(run, word)) for word in same.split()}) == 1, [stems(run, word) for word in same.split()]


@pytest.mark.parametrize(
    "word", "차이 정도 결과 길이 온도 경로 속도 높이 인코더 디코더 헤드 스코어 어휘 초기화 기울기 나머지 이미지".split()
)
def test_what_only_looks_like_a_particle_stays(run, word):
    assert stems(run, word)[0][0] == word[0] and stems(run, word) == stems(run, f"{word}를")
    assert len(word) > 2 or stems(run, word) == [word]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("어텐션(attention)을", ["어텐션", "attent", "을"]),
        ("LayerNorm은 d_k로", ["layernorm", "dk"]),
        ("softmax함수", ["softmax", "함수"]),
        ("0.98과 4,000은", ["0.98", "4,000"]),
        ("1e-9", ["1e", "9"]),
        ("what's, don’t", ["what", "don"]),
        ("√dₖ", ["√", "dk"]),
        ("QK^T", ["qkt"]),
        ("β₂", ["β2"]),
        ("", []),
        ("…?!", []),
    ],
)
def test_letters_that_belong_together_are_one_word(run, text, words):
    assert stems(run, text) == words


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("scaled_dot_product_attention", ["scaled", "dot", "product", "attention"]),
        ("LayerNorm", ["layer", "norm"]),
        ("MultiheadAttention", ["multihead", "attention"]),
        ("d_model", ["model"]),
        ("nan", []),
        ("GELU", []),
    ],
)
def test_an_identifier_has_parts(run, name, parts):
    found = run("text => tokens(text)[0].parts.map(({surface}) => surface.toLowerCase())", name)
    assert found == parts


@pytest.mark.parametrize(
    "names",
    [
        "layer norm|Layer-Norm|layernorm|LayerNorm|layer norms",
        "스킵 커넥션|스킵커넥션|스킵 커넥션은|스킵커넥션에서",
        "가중치 공유|가중치의 공유|가중치를 공유하는",
        "position information|positional information",
    ],
)
def test_a_name_is_compared_without_blanks_hyphens_and_grammar(run, names):
    first, *others = (set(run("name => compact(tokens(name))", name)) for name in names.split("|"))
    assert all(first & other for other in others), names


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("소프트맥스", "softmax"),
        ("레이어놈", "layernorm"),
        ("배치놈", "batchnorm"),
        ("드롭아웃", "dropout"),
        ("어텐션", "attention"),
        ("퍼플렉시티", "perplexity"),
        ("체크포인트", "checkpoint"),
        ("트랜스포머", "transformer"),
        ("레지듀얼", "residual"),
    ],
)
def test_a_word_taken_over_sounds_like_the_english_one(run, korean, english):
    assert run("sound", korean) == run("sound", english) != ""


def test_other_words_sound_different(run):
    words = ["softmax", "dropout", "attention", "decoder", "encoder", "residual", "transformer", "translator"]
    assert len({run("sound", word) for word in words}) == len(words)


@pytest.mark.parametrize(
    ("a", "b", "most", "away"),
    [
        ("kitten", "kitten", 1, 0),
        ("kitten", "sitten", 1, 1),
        ("kitten", "kiten", 1, 1),
        ("kitten", "kittens", 1, 1),
        ("kitten", "iktten", 1, 1),
        ("kitten", "sitting", 3, 3),
        ("kitten", "sitting", 2, None),
        ("", "ab", 2, 2),
        ("ab", "", 1, None),
    ],
)
def test_slips_are_counted_and_two_letters_may_change_places(run, a, b, most, away):
    assert (
        run("([a, b, most]) => { const n = distance(a, b, most); return n < Infinity ? n : null }", [a, b, most])
        == away
    )


# ---- what is found


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("마스크", "masks"),
        ("마스크가 왜 필요한가요", "masks"),
        ("nan이 나와요", "masks"),
        ("attn_mask", "masks"),
        ("mask", "masks"),  # a part of attn_mask
        ("파라미터 개수", "sizes"),
        ("파라미터개수는", "sizes"),
        ("임베딩행렬", "sizes"),
        ("임배딩 행렬", "sizes"),  # one vowel
        ("how many parameters", "sizes"),  # a key
        ("모델크기", "sizes"),
        ("미래가리기", "masks"),
        ("스킵 커넥션", "residual"),  # another name
        ("스킵커넥션이", "residual"),
        ("스킵 커낵션", "residual"),  # nearly another name
        ("skip connection", "residual"),
        ("residual conection", "residual"),
        ("shortcut", "residual"),
        ("layer norm", "norm"),
        ("layernorm", "norm"),
        ("layer-normalisation", "norm"),
        ("레이어 놈", "norm"),
        ("레이어놈", "norm"),
        ("소프트맥스", "masks"),  # by its sound: the book has softmax
        ("하이퍼 파라미터", "sizes"),  # one word in the book
        ("soft max", "masks"),  # one word in the book
        ("기을기를", "residual"),  # one vowel, in no name
        ("래이어 노롬", "norm"),  # two, in a name of two words
        ("커넥션", "residual"),  # a word of a name, and by its sound
        ("노름", "norm"),  # only that
        ("my_mask", "masks"),  # a part of what the book has not
        ("삼각행", "masks"),  # within 하삼각행렬
        ("어텐", "masks"),  # not yet typed to its end
        ("atten", "masks"),
        ("aktmzm", "masks"),  # 마스크, with the keyboard on Latin letters
        ("wksck dusruf", "residual"),  # 잔차 연결
    ],
)
def test_what_a_reader_means_comes_first(run, question, page):
    assert pages(run, question)[:1] == [page]


@pytest.mark.parametrize("question", ["", "  ", "?", "xyzzyq", "뷁뛟"])
def test_nothing_is_found_where_nothing_is(run, question):
    assert pages(run, question) == []


def test_the_best_section_of_a_page_is_shown_first(run):
    found = run("question => book.find(question)[0].sections.map(({section}) => section.anchor)", "마스크 nan 행 결과")
    assert found == ["rows", ""]


def test_the_beginning_of_a_name_is_taken_for_it(run):
    targets = "question => book.units(question).map(({targets}) => targets?.length ?? 0)"
    assert run(targets, "how many pa") == [1] and run(targets, "how many") == [0, 0]


def test_what_is_one_word_in_the_book_is_asked_for_as_one(run):
    units = "question => book.units(question).map(({text}) => text)"
    assert run(units, "soft max가") == ["soft max"] and run(units, "soft mask") == ["soft", "mask"]


def little(run, question: str, *others: dict) -> list[str]:
    """The pages found of those that differ from one that says 잔차 once."""
    same = {"title": "A", "about": "", "weight": 1, "sections": [["", "", "잔차입니다.", ""]]}
    pages = [{**same, "url": str(number), **other} for number, other in enumerate(others)]
    find = "([pages, question]) => new Search({pages, terms: [], keys: []}).find(question).map(({page}) => page.url)"
    return run(find, [pages, question])


def test_a_slip_is_compared_with_words_as_they_are_written(run):
    """The stemmer takes encoding for encod, and leaves encodng as it is: two letters away."""
    written = [{"sections": [["", "", text, ""]]} for text in ("An encoding is added.", "Another text.")]
    assert little(run, "encodng", *written) == ["0"]


TERMS = """question => {
    const page = (url, text, head = "A") =>
        ({ url, title: head, about: "", weight: 1, sections: [["", "", "", ""], ["b", head, text, ""]] });
    const pages = [page("place", "A position, a position."), page("vector", "A vector of its place, added.")];
    pages.push(page("token", "Tokens, tokens and tokens.", "Token and token"), page("program", "It cuts a text."));
    const terms = [["위치", "position"], ["위치 인코딩", "positional encoding"]];
    terms.push(["토큰", "token"], ["토크나이저", "tokenizer"]);
    const keys = [["vector", "", ["positional encoding"]], ["program", "b", ["tokenizer"]]];
    return new Search({ pages, terms, keys }).find(question)[0].page.url;
}"""


def test_a_name_with_a_slip_is_not_taken_for_the_shorter_name_that_it_begins_with(run):
    assert run(TERMS, "position") == "place" and run(TERMS, "positional encodng") == "vector"


def test_a_name_is_not_taken_for_another_with_the_same_stem(run):
    assert run(TERMS, "tokenizer") == "program"


def test_what_names_a_page_counts_more_than_what_a_page_says(run):
    heading = {"sections": [["", "", "글입니다.", ""], ["b", "잔차", "글입니다.", ""]]}
    assert little(run, "잔차", {}, {"title": "잔차"}, heading)[0] == "1"
    assert little(run, "잔차", {}, heading) == ["1", "0"]
    assert little(run, "잔차", {}, {"about": "잔차"}) == ["1", "0"]


def test_a_page_that_only_names_others_comes_after_them(run):
    assert little(run, "잔차", {"weight": 0.5}, {}) == ["1", "0"]


def test_a_page_that_says_it_by_the_way_is_left_out(run):
    long = {"sections": [["", "", "다른 글입니다. " * 2000 + "잔차", ""]]}
    assert little(run, "잔차", {"title": "잔차", "about": "잔차"}, long) == ["0"]


def test_words_that_every_question_has_weigh_little(run):
    assert pages(run, "왜 파라미터를 세는 이유가 뭔가요")[:1] == ["sizes"]


# ---- what is shown


def shown(run, question: str) -> dict:
    return run("question => answer(book, question)", question)


def addresses(page: dict) -> list[str]:
    """Of a page that is found: its own, and those of its sections."""
    every = [page["page"], *[page["best"]] * bool(page["best"]), *page["more"]]
    return [unquote(one["address"]) for one in every]


def test_pages_are_shown_with_their_sections_the_best_first(run):
    found = shown(run, "마스크")["pages"]
    assert [one["page"]["address"].partition("?")[0][:-1] for one in found] == pages(run, "마스크")
    for page in found:
        itself, *sections = addresses(page)
        assert "#" not in itself and all("#" in one and one.startswith(itself.partition("?")[0]) for one in sections)


def test_a_result_leads_to_the_section_and_says_why(run):
    page = shown(run, "결과가 nan")["pages"][0]
    assert addresses(page) == ["masks/", "masks/?h=결과+nan#rows"], "with the words to mark there"
    assert "<mark>nan</mark>" in page["best"]["text"] and page["missing"] == []


def test_text_of_the_book_is_no_markup(run):
    text = shown(run, "나머지는 그대로")["pages"][0]["best"]["text"]
    assert "&lt;b&gt; &amp; <mark>나머지</mark>" in text


def test_other_names_are_marked_as_the_book_says_them(run):
    page = shown(run, "스킵 커넥션")["pages"][0]
    assert addresses(page) == ["residual/?h=잔차+연결+residual+connection"]
    assert page["page"]["title"] == "<mark>잔차</mark> <mark>연결</mark>"


def test_words_are_marked_whatever_their_size_and_not_those_of_every_question(run):
    page = shown(run, "LAYERNORM")["pages"][0]["page"]
    assert "<mark>LayerNorm</mark>" in page["text"]
    assert not any("볼" in one for page in shown(run, "볼 마스크")["pages"] for one in addresses(page))


def test_what_a_page_lacks_is_named(run):
    page = shown(run, "잔차 파라미터")["pages"][[page for page in pages(run, "잔차 파라미터")].index("residual")]
    assert page["missing"] == ["파라미터"]


def test_a_long_text_is_shown_where_the_words_are(run):
    text = run(
        """() => {
            const text = "처음입니다. ".repeat(40) + "여기에 잔차가 있습니다. " + "끝입니다. ".repeat(40);
            const page = { url: "a/", title: "A", about: "", weight: 1, sections: [["b", "B", text, ""]] };
            return answer(new Search({ pages: [page], terms: [], keys: [] }), "잔차").pages[0].best.text;
        }"""
    )
    assert text.startswith("… 여기에 <mark>잔차</mark>가") and len(text) < 220


def test_the_word_being_typed_is_completed_from_titles_and_headings(run):
    assert shown(run, "정규")["completion"] == "화" and shown(run, "잔차 정규")["completion"] == "화"
    assert shown(run, "기울")["completion"] == "", "in no title and no heading"
    assert shown(run, "정규 ")["completion"] == shown(run, "")["completion"] == ""


# ---- what is marked on a page


MARKED = """([html, forms]) => {
    document.body.innerHTML = html;
    mark(document.body, forms);
    return document.body.innerHTML;
}"""


@pytest.mark.parametrize(
    ("html", "forms", "marked"),
    [
        ("<p>마스크를 a Mask.</p>", ["마스크", "mask"], "<p><mark>마스크</mark>를 a <mark>Mask</mark>.</p>"),
        ("<p>masks, unmask</p>", ["mask"], "<p>masks, unmask</p>"),
        ("<p>mask<b>mask</b> mask</p>", ["mask"], "<p><mark>mask</mark><b><mark>mask</mark></b> <mark>mask</mark></p>"),
        ("<p>a dk 행</p>", ["a", "dk", "행"], "<p>a dk 행</p>"),
        ("<p>a+b</p>", ["a+b"], "<p><mark>a+b</mark></p>"),
        ("<svg><text>a mask</text></svg>", ["mask"], "<svg><text>a mask</text></svg>"),
        ("<p>mask</p>", [""], "<p>mask</p>"),
    ],
    ids=["both languages", "whole words", "each text", "letters tell nothing", "signs", "drawings", "nothing"],
)
def test_words_are_marked_on_a_page(run, html, forms, marked):
    assert run(MARKED, [html, forms]) == marked
