"""What a page gets of the style sheets."""

from __future__ import annotations

import pytest

from book.styles import Styles, names_in, names_of, read


def _of(css: str, page: str = "", scripts: tuple[str, ...] = ()) -> str:
    return Styles([css], list(scripts)).of(page, "../assets/")


@pytest.mark.parametrize(
    "css, page, left",
    [
        (".a{color:red}.b{color:blue}", '<p class="a">', ".a{color:red}"),
        (".a{color:red}.b{color:blue}", '<p class="x b">', ".b{color:blue}"),
        (".a .b{color:red}", '<p class="a">', ""),
        (".a, .b > p, i{color:red}", '<p class="b">', ".b > p,i{color:red}"),
        ("p{color:red}", "", "p{color:red}"),
        (".a:not(.b){color:red}", '<p class="a">', ".a:not(.b){color:red}"),
        (".a:is(.b, .c){color:red}", '<p class="a">', ".a:is(.b, .c){color:red}"),
        (":is(.a, .b) .c{color:red}", '<p class="a">', ""),
        (".a:has(> :is(.b)) .c{color:red}", '<p class="a c">', ".a:has(> :is(.b)) .c{color:red}"),
        ('[title="a,b"] .a{color:red}', '<p class="a">', '[title="a,b"] .a{color:red}'),
        ("[dir=rtl] p{color:red}[dir=ltr] p{color:blue}", '<body dir="ltr">', "[dir=ltr] p{color:blue}"),
        ('[data-md-color-primary="red"]{color:red}', '<body data-md-color-primary="custom">', ""),
        ('[data-md-color-primary="custom"]{color:red}', '<body data-md-color-primary="custom">', None),
        ("@media print{.a{color:red}.b{color:blue}}", '<p class="a">', "@media print{.a{color:red}}"),
        ("@media print{.a{color:red}}", "", ""),
        ("@supports (x:y){@media print{.a{color:red}}}", '<p class="a">', None),
        ("@keyframes k{from{color:red}}", "", "@keyframes k{from{color:red}}"),
        ('@charset "utf-8";p{color:red}', "", "p{color:red}"),
        ("p{}", "", ""),
    ],
)
def test_a_rule_stays_where_it_can_hold(css, page, left):
    assert _of(css, page) == (css if left is None else left)


def test_what_a_script_may_add_counts():
    assert _of(".a{color:red}.md-b--c{color:red}.d{color:red}", "", ('x.className="a";y=".md-b--c"',)) == (
        ".a{color:red}.md-b--c{color:red}"
    )
    assert _of(".js p{color:red}.no-js p{color:red}") == ".js p{color:red}.no-js p{color:red}"
    assert names_in('"md-version" "md-search" `x-y` tabbed') == {"md-search", "x-y"}


def test_names_are_those_of_the_page():
    page = '<body dir="ltr" data-md-color-accent="custom" class="a b"><p class="c" subclass="d">class="e</p>'
    assert names_of(page) == {"dir=ltr", "data-md-color-accent=custom", "a", "b", "c"}


def test_comments_and_needless_space_go():
    assert (
        _of("/* x */ p /* y */ ,\n i {\n  color : red; /* z; */\n  margin: 0 1px;\n}\n")
        == "p,i{color:red;margin:0 1px}"
    )


def test_strings_and_addresses_stay_whole():
    css = r'p{--icon:url("data:image/svg+xml;charset=utf-8,<svg d=\"(a;b)\"/>");mask:var(--icon);content:"a;b: c  d"}'
    assert _of(css) == css


@pytest.mark.parametrize(
    "value", ["1px", "url('data:a;b')", 'url("data:(a;b)")', "calc(1px + (2px * 3))", '"a;b"', r'"a\";b"', ""]
)
def test_variables_that_nothing_uses_go(value):
    assert _of(f"p{{--a:1px;--b:{value};--c:2px;margin:var(--c)}}", "<p style='padding: var(--a)'>") == (
        "p{--a:1px;--c:2px;margin:var(--c)}"
    )
    assert _of(f"p{{--b:{value};--d:{value};margin:0}}") == "p{margin:0}"


FACE = '@font-face{{font-family:{0};src:url(fonts/{0}.woff2) format("woff2"),url(fonts/{0}.ttf) format("truetype")}}'


def test_fonts_that_no_rule_uses_go_and_the_others_have_one_file():
    css = FACE.format("One") + FACE.format("Two") + ".a{font-family:One}.b{font-family:Two}"
    assert _of(css, '<p class="b">') == (
        '@font-face{font-family:Two;src:url(../assets/katex/fonts/Two.woff2) format("woff2")}.b{font-family:Two}'
    )


@pytest.mark.parametrize("scheme", ["[data-md-color-scheme=slate]", '[data-md-color-scheme="slate"]'])
def test_without_scripts_the_dark_scheme_follows_the_system(scheme):
    dark = "@media (prefers-color-scheme: dark) and (scripting: none)"
    assert _of(f"{scheme}{{color:red}}p{{color:blue}}") == (
        f"{scheme}{{color:red}}{dark}{{[data-md-color-scheme]{{color:red}}}}p{{color:blue}}"
    )
    assert _of(f"@media screen{{p{{x:y}}i,{scheme} .a{{color:red}}}}", '<p class="a">') == (
        f"@media screen{{p{{x:y}}i,{scheme} .a{{color:red}}}}"
        f"{dark}{{@media screen{{[data-md-color-scheme] .a{{color:red}}}}}}"
    )


def test_a_style_sheet_that_cannot_be_read_is_refused_with_its_line():
    with pytest.raises(ValueError, match="line 2"):
        read("p{color:red}\n}")
