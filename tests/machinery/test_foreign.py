"""Words of the other language."""

from __future__ import annotations

import pytest

from book.finish.foreign import marked

HANGUL = [
    ("<p>the word 은 is</p>", '<p>the word <span lang="ko">은</span> is</p>'),
    ("<p>이기창, 『Do it!』, 3장 ends</p>", '<p><span lang="ko">이기창, 『Do it!』, 3장</span> ends</p>'),
    (
        "<p>가 <b>나</b> x 다</p>",
        '<p><span lang="ko">가</span> <b><span lang="ko">나</span></b> x <span lang="ko">다</span></p>',
    ),
    ('<p title="가">x 나</p>', '<p title="가">x <span lang="ko">나</span></p>'),
    ('가<b title="나">x</b>', '<span lang="ko">가</span><b title="나">x</b>'),
    ("<text><tspan>가</tspan></text>", '<text><tspan lang="ko">가</tspan></text>'),
    ("<annotation>가</annotation>", '<annotation lang="ko">가</annotation>'),
    ("<text-like>가</text-like>", '<text-like><span lang="ko">가</span></text-like>'),
    ('<p title="가">x</p>', '<p title="가">x</p>'),
    ('<a lang="ko">가</a>', '<a lang="ko">가</a>'),
    ("<svg><text x='1'>가</text></svg>", "<svg><text x='1' lang=\"ko\">가</text></svg>"),
    ("<mtext>가 나</mtext>", '<mtext lang="ko">가 나</mtext>'),
    ("<text><tspan/></text>가", '<text><tspan/></text><span lang="ko">가</span>'),
    ("<style>가</style><script>가</script><title>가</title>", "<style>가</style><script>가</script><title>가</title>"),
    ("ㄱ and ㅎ", '<span lang="ko">ㄱ and ㅎ</span>'),
]


@pytest.mark.parametrize("before, after", HANGUL)
def test_hangul_on_an_english_page_is_korean(before, after):
    assert marked(f"<head>가</head><body>{before}", "en") == f"<head>가</head><body>{after}"
    assert marked(f"<body>{before}", "ko") == f"<body>{before}"


def test_on_a_korean_page_what_is_emphasised_without_hangul_is_english():
    page = "<body><em>Attention Is All You Need</em>, <em>어텐션 all</em>, <em>Q</em>, <em><code>x</code></em>"
    assert marked(page, "ko") == page.replace("<em>Att", '<em lang="en">Att')
    assert marked(page, "en").count("lang=") == 1
    assert marked("<body><em>GQA</em><em>a b</em><em>x <b>ab</b> y</em>", "ko").count("lang=") == 1
    assert marked(page.replace("<body>", "<p>"), "ko") == page.replace("<body>", "<p>")
