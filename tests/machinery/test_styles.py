"""What a page gets of the style sheets."""

from __future__ import annotations

import re

import pytest

from book import ROOT
from book.finish import styles
from book.finish.styles import Styles, names_in, names_of, read


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
    assert names_in('"md-version" "md-select" `x-y` tabbed') == {"md-select", "x-y"}


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


@pytest.mark.parametrize("group", ["media print", "supports (x:y)", "layer a", "container a (width > 1px)"])
def test_groups_are_looked_into(group):
    assert _of(f"@{group} {{ /* x */ .a {{color:red}} /* y */ .b {{color:red}} }}", '<p class="b">') == (
        f"@{group}{{.b{{color:red}}}}"
    )


@pytest.mark.parametrize("what", ["not", "is", "where", "has", "nth-child", "nth-last-of-type"])
@pytest.mark.parametrize("inner", [".b", "a(.b).c", "(.b)(.c) .d"])
def test_what_stands_in_the_brackets_of_a_selector_need_not_be_there(what, inner):
    css = f".a:{what}({inner}) p{{color:red}}"
    assert _of(css, '<p class="a">') == css
    assert _of(f"{css[:-12]}.e{{color:red}}", '<p class="a">') == ""


@pytest.mark.parametrize("what", ["lang", "dir"])
def test_languages_and_directions_are_no_classes(what):
    assert _of(f"p:{what}(a.b){{x:y}}") == f"p:{what}(a.b){{x:y}}"


@pytest.mark.parametrize("name", ["A", "_a", "-a", "a-b", "B_1"])
def test_classes_have_all_kinds_of_names(name):
    assert _of(f".{name}{{x:y}}.{name}x{{x:y}}", f'<p class="{name}">') == f".{name}{{x:y}}"


@pytest.mark.parametrize("quote", ["", "'", '"'])
@pytest.mark.parametrize("attribute", ["dir", "data-md-color-primary", "data-md-color-accent"])
def test_colours_and_direction_are_those_of_the_body(attribute, quote):
    css = "[{0}={1}{2}{1}]{{x:y}}"
    sheet = css.format(attribute, quote, "a-b") + css.format(attribute, quote, "a")
    assert _of(sheet, f'<body {attribute}="a-b">') == css.format(attribute, quote, "a-b").replace("'", '"')


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_round_the_dark_scheme_do_not_matter(quote):
    assert _of(f"[data-md-color-scheme={quote}slate{quote}]{{x:y}}").count("{x:y}") == 2


@pytest.mark.parametrize(
    "name",
    [
        *(f"md-{part}" for part in "annotation mermaid progress search source status tag version".split()),
        "tabbed-a",
        "mermaid",
    ],
)
def test_what_the_book_has_no_use_for_is_not_kept_for_a_script(name):
    assert names_in(f'"{name}" "md-select"') == {"md-select"}


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_word_of_a_script_may_be_a_class_if_it_stands_in_quotes(quote):
    assert names_in(f"{quote}a-b{quote} c {quote}d e f{quote}") == {"a-b"}


def test_each_comment_ends_where_it_ends():
    assert _of("a/* 1 */ b/* 2 */{x:y/* 1 */;z:0/* 2 */}") == "a b{x:y;z:0}"
    assert _of("p{ x : y ;z: 0; --a-b:1;w: var(--a-b)}") == "p{x:y;z:0;--a-b:1;w:var(--a-b)}"


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_faces_are_told_by_the_whole_name_of_their_family(quote):
    face = f"@font-face{{src:url(x);font-family:{quote}A-B{quote};font-style:normal}}"
    assert _of(face + "p{font-family:A-B}").count("@font-face") == 1
    assert _of(face + "p{font-family:A}") == "p{font-family:A}"


def test_the_sheets_and_scripts_are_those_of_the_theme_of_katex_and_of_the_book(tmp_path, monkeypatch):
    monkeypatch.setattr(styles, "ASSETS", tmp_path / "book")
    for path, text in {
        "theme/assets/stylesheets/a.css": ".md-a table:not([class]){x:1}.b{x:1}",
        "book/katex/katex.min.css": ".c{x:2}",
        "book/css/book.css": ".md-a{x:3}",
        "theme/assets/javascripts/a.js": '"md-a"',
        "book/js/deep/b.js": '"c"',
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert (
        styles.of_theme(tmp_path / "theme").of('<table class="data">', "") == ".md-a table.data{x:1}.c{x:2}.md-a{x:3}"
    )


def test_what_is_off_the_screen_is_left_for_later_only_where_the_screen_stays_in_place():
    """A browser without scroll anchoring, as Safari, would jump when what it has guessed turns out taller."""

    def later(rules: list[styles.Rule], inside: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
        found = []
        for rule in rules:
            if rule.children is not None:
                found += later(rule.children, (*inside, rule.head))
            elif re.search(r"content-visibility:\s*auto|contain-intrinsic", rule.body):
                found.append(inside)
        return found

    groups = [
        group
        for path in sorted((ROOT / "docs/assets/css").glob("*.css"))
        for group in later(read(path.read_text("utf-8")))
    ]
    assert groups and all("@supports (overflow-anchor: auto)" in group for group in groups)
