"""The script of every page, joined from several files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from book.finish import script
from book.finish.script import ScriptError, joined


def _written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def test_files_are_joined_in_the_order_in_which_modules_run_each_once(tmp_path):
    main = _written(
        tmp_path,
        main='// All of it.\n\nimport "./b.js";\nimport "./c.js";\n',
        c='import { a, more } from "./a.js";\nimport {\n  b,\n} from "./b.js";\n\nuse(a, b, more);\n',
        b='import { a } from "./a.js";\n\nexport async function b() {}\n\nb(a);\n',
        a="export const a = 1;\nexport function more() {}\nconst own = 2;\n",
    )
    assert joined(main) == (
        '(() => {\n"use strict";\n'
        "const { a, more } = (() => {\nconst a = 1;\nfunction more() {}\nconst own = 2;\nreturn { a, more };\n})();\n"
        "const { b } = (() => {\nasync function b() {}\nb(a);\nreturn { b };\n})();\n"
        "(() => {\nuse(a, b, more);\n})();\n"
        "})();\n"
    )


def test_lines_that_are_comments_stay_here_and_others_are_left_alone(tmp_path):
    code = 'x(); // why\ny(`//`);\n/** @type {A} */ (z);\nconst u = "http://b.org";\n'
    main = _written(tmp_path, main=f"/* All\n   of it. */\n/** One. */\n  // Two.\n{code}  /**\n   * Three.\n   */\n")
    assert joined(main) == f'(() => {{\n"use strict";\n(() => {{\n{code}}})();\n}})();\n'


@pytest.mark.parametrize(
    "files, said",
    [
        ({"main": 'import "./gone.js";\n'}, "main.js imports gone.js, and there is no such file"),
        ({"main": 'import { b } from "./a.js";\n', "a": "export const a = 1;\n"}, "main.js imports b from a.js"),
        ({"main": 'import { a as b } from "./a.js";\n', "a": "export const a = 1;\n"}, "imports a as b from a.js"),
        (
            {"main": 'import "./a.js";\nimport "./b.js";\n', "a": "export const x = 1;\n", "b": "export class x {}\n"},
            "a.js and b.js both export x",
        ),
        (
            {"main": 'import { b } from "./b.js";\nexport const a = 1;\n', "b": 'import { a } from "./main.js";\n'},
            "first",
        ),
        ({"main": "export default 1;\n"}, "main.js cannot be joined with others because of: export default 1;"),
        ({"main": 'import x from "./a.js";\n'}, "because of: import x from"),
        ({"main": 'import * as x from "../a.js";\n'}, "because of: import * as x"),
        ({"main": "x(`\n// no comment\n`);\n"}, "because of: x(`"),
    ],
)
def test_what_cannot_be_joined_is_named(tmp_path, files, said):
    with pytest.raises(ScriptError, match=re.escape(said)):
        joined(_written(tmp_path, **files))


def test_the_files_of_the_book_say_only_what_can_be_joined():
    text = joined(script.MAIN)
    assert not re.search(r"^(import|export)\b|^ *(//|/\*(?!\* @type .*\*/ \())", text, re.M)
