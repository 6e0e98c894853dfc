"""The code that the book explains: one folder a part, one idea a module.

Beside each module stand its worked examples in Markdown, under the same name.
"""

from pathlib import Path

#: The directory of the book.
ROOT = Path(__file__).resolve().parents[1]
