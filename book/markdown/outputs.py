"""Outputs of a lab on its page: each stands below the cell that has printed it."""

from __future__ import annotations

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from book.markdown.pipeline import register
from book.source.parser import INCLUDE


class _Outputs(Preprocessor):
    """Puts what a cell printed below it."""

    def __init__(self, md: Markdown, extension: LabExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        if not self.extension.outputs:
            return lines
        waiting = list(self.extension.outputs)
        result: list[str] = []
        inside = ""
        for line in lines:
            result.append(line)
            ends = bool(INCLUDE.match(line)) and not inside
            if line.startswith("```"):
                ends = inside == "```python"
                inside = "" if inside else line
            if ends and (output := waiting.pop(0)):
                result += ["", "```text", *output.rstrip("\n").splitlines(), "```"]
        return result


class LabExtension(Extension):
    """Shows the outputs of a lab; the build sets ``outputs`` before each page."""

    outputs: list[str] = []

    def extendMarkdown(self, md: Markdown) -> None:
        register(md, "labs", _Outputs(md, self))
