"""What a page needs of the style sheets, to stand in the page itself.

The theme's, KaTeX's and the book's own style sheets are 190 kB, of which a page needs a fifth. Asked for one by one,
they would keep a phone waiting before it shows a word. A rule stays if a page has the classes that one of its selectors
names, or a script of the site may add them; so do the fonts and variables that a rule then uses.

What holds for the dark scheme holds for readers without scripts as well, if their system is dark.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import tinycss2

from book import ROOT
from book.markdown import touch

ASSETS = ROOT / "docs" / "assets"
#: Of whoever has no script that could choose the scheme.
DARK = "@media (prefers-color-scheme: dark) and (scripting: none)"
#: What names the dark scheme in a selector.
SLATE = re.compile(r"\[data-md-color-scheme=\"?slate\"?\]")
#: Below these, a condition holds for what is inside; other at-rules have no rules in them.
GROUPS = {"media", "supports", "layer", "container"}
#: What a selector does not need to match.
ARGUMENTS = re.compile(r":(?:not|is|where|has|lang|dir|nth-[\w-]+)\((?:[^()]|\([^()]*\))*\)")
#: What a page needs to have, so that a selector can match in it.
NEEDS = re.compile(r"\.(-?[A-Za-z_][\w-]*)|\[(dir|data-md-color-(?:primary|accent))=\"?([\w-]+)")
#: What the theme's script could add to a page if this book had any use for it.
UNUSED = re.compile(r"(?:md-(?:annotation|mermaid|progress|search|source|status|tag|version)|tabbed|mermaid)")

#: A declaration of a variable. What is in quotes or brackets may hold anything.
STRING = r'"(?:[^"\\]|\\.)*"'  # as tinycss2 writes it
VARIABLE = re.compile(rf'(?<=[{{;])(--[\w-]+):(?:[^;}}"(]|{STRING}|\((?:[^()"]|\([^()]*\)|{STRING})*\))*;?')


@dataclass
class Rule:
    """A rule, or a group of rules below ``head``; ``needs``: for each selector, what the page has to have."""

    head: str
    body: str = ""
    needs: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    children: list[Rule] | None = None


def read(css: str) -> list[Rule]:
    """The rules of a style sheet, without its comments."""
    return _rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True))


def _rules(nodes) -> list[Rule]:
    found = []
    for node in nodes:
        if node.type == "at-rule":
            head = f"@{node.at_keyword}{tinycss2.serialize(node.prelude)}".strip()
            if node.at_keyword == "charset":
                continue
            if node.at_keyword in GROUPS and node.content is not None:
                inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
                rule = Rule(head, children=_rules(inner))
            else:
                rule = Rule(head, _short(tinycss2.serialize(node.content)))
            found.append(rule)
        elif node.type == "qualified-rule":
            selectors = _selectors(tinycss2.serialize(node.prelude))
            found.append(Rule("", _short(tinycss2.serialize(node.content)), [(one, _needs(one)) for one in selectors]))
        else:
            raise ValueError(f"a style sheet cannot be read, at line {node.source_line}: {node.message}")
    return found


def _short(body: str) -> str:
    """Declarations without the space between them; strings stay as they are."""
    pieces = re.split(f"({STRING})", body)
    for place in range(0, len(pieces), 2):
        piece = re.sub(r"\s+", " ", pieces[place])
        pieces[place] = re.sub(r" ?; ?", ";", re.sub(r"(^|;) ?([\w-]+) ?: ", r"\1\2:", piece))
    return "".join(pieces).strip().rstrip(";")


def _selectors(prelude: str) -> list[str]:
    """The selectors of a rule: between the commas that are in no brackets."""
    parts, depth = [""], 0
    for character in re.sub(r"\s+", " ", prelude).strip():
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _needs(selector: str) -> frozenset[str]:
    return frozenset(
        name or f"{attribute}={value}" for name, attribute, value in NEEDS.findall(ARGUMENTS.sub("", selector))
    )


def without_scripts(rules: list[Rule]) -> list[Rule]:
    """These rules, and after each that is for the dark scheme, the same for whoever has no scripts."""
    result = []
    for rule in rules:
        result.append(rule)
        if dark := _dark(rule):
            result.append(Rule(DARK, children=[dark]))
    return result


def _dark(rule: Rule) -> Rule | None:
    if rule.children is not None:
        children = list(filter(None, map(_dark, rule.children)))
        return Rule(rule.head, children=children) if children else None
    needs = [(SLATE.sub("[data-md-color-scheme]", one), need) for one, need in rule.needs if SLATE.search(one)]
    return Rule("", rule.body, needs) if needs else None


def names_in(script: str) -> set[str]:
    """The classes that a script may add to a page."""
    found = re.findall(r"md-[a-z][\w-]*|(?<=[\"'`])[a-z][\w-]*(?=[\"'`])", script)
    return {name for name in found if not UNUSED.match(name)}


def names_of(page: str) -> set[str]:
    """What NEEDS asks of a page: its classes, and its colours."""
    classes = {name for value in re.findall(r'\sclass="([^"]*)"', page) for name in value.split()}
    return classes | {"=".join(found) for found in re.findall(r'\s(dir|data-md-color-\w+)="([\w-]+)"', page)}


class Styles:
    """All style sheets of a site, and what a page needs of them."""

    def __init__(self, sheets: list[str], scripts: list[str], touched: Collection[str] = ()) -> None:
        """``touched``: the variables that figures use when a reader touches them."""
        self.touched = "".join(f"var({name})" for name in touched)
        self.rules = without_scripts([rule for sheet in sheets for rule in read(sheet)])
        self.added = {"js", "no-js"}.union(*map(names_in, scripts))

    def of(self, page: str, assets: str) -> str:
        """The style sheet of a page, which finds the book's assets at ``assets``."""
        css = _written(self.rules, names_of(page) | self.added)
        touched = self.touched if 'class="touch"' in page else ""
        css = _without_unused_fonts(_without_unused_variables(css, page + touched))
        return re.sub(r"url\((?=fonts/)", f"url({assets}katex/", css)


def _written(rules: list[Rule], names: set[str]) -> str:
    pieces = []
    for rule in rules:
        if rule.children is not None:
            if inner := _written(rule.children, names):
                pieces.append(f"{rule.head}{{{inner}}}")
        elif rule.head:
            pieces.append(f"{rule.head}{{{rule.body}}}")
        elif rule.body and (selectors := [one for one, needs in rule.needs if needs <= names]):
            pieces.append(f"{','.join(selectors)}{{{rule.body}}}")
    return "".join(pieces)


def _without_unused_variables(css: str, page: str) -> str:
    used = set(re.findall(r"var\((--[\w-]+)", css + page))
    return VARIABLE.sub(lambda found: found[0] if found[1] in used else "", css)


def _without_unused_fonts(css: str) -> str:
    faces = re.compile(r"@font-face\{[^}]*?font-family:\"?([\w-]+)[^}]*\}")
    rest = faces.sub("", css)

    def face(found: re.Match) -> str:
        if found[1] not in rest:
            return ""
        return re.sub(r",url\([^)]*\) ?format\([^)]*\)", "", found[0])  # each browser of today reads the first, WOFF2

    return faces.sub(face, css)


def of_theme(theme: Path) -> Styles:
    """The style sheets and scripts of Material, of KaTeX and of the book."""
    sheets = [*sorted((theme / "assets" / "stylesheets").glob("*.css")), ASSETS / "katex" / "katex.min.css"]
    sheets += sorted((ASSETS / "css").glob("*.css"))
    own = (path for path in ASSETS.glob("js/**/*.js") if "touch" not in path.parts)  # those have styles of their own
    scripts = [*(theme / "assets" / "javascripts").glob("*.js"), *own]
    texts, code = ([path.read_text(encoding="utf-8") for path in paths] for paths in (sheets, scripts))
    # the theme's rules are for tables without a class, which its script puts into boxes; ours are in theirs already
    return Styles([sheet.replace("table:not([class])", "table.data") for sheet in texts], code, touch.variables())
