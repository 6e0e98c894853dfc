"""YAML whose entries know their lines, so that a complaint can say where."""

from __future__ import annotations

from pathlib import Path

import yaml

FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class EntryError(ValueError):
    """A file of entries cannot be used; ``line`` says where."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path.name}:{line}: {message}")
        self.line, self.message = line, message


def yaml_fault(error: yaml.YAMLError) -> tuple[int, str]:
    """The line of what is not YAML, counted from 1, and what is wrong with it."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", str(error))
    return (mark.line + 1 if mark else 1), str(problem)


def composed(path: Path, error: type[EntryError], quotable: str) -> yaml.Node | None:
    """The nodes of a file, which know their lines. Raises ``error`` that says to quote what is quotable."""
    try:
        text = path.read_text(encoding="utf-8")
        try:
            return yaml.compose(text, FAST)
        except yaml.YAMLError:
            return yaml.compose(text, yaml.SafeLoader)  # says more of what is wrong
    except UnicodeDecodeError:
        raise error(path, 1, "this is not UTF-8: save it as UTF-8") from None
    except yaml.YAMLError as fault:
        line, problem = yaml_fault(fault)
        raise error(path, line, f"this is not YAML: {problem}; quote the {quotable}") from None
