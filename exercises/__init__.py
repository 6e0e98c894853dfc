"""Exercises: the book's modules with their bodies taken out, and checks that say what is right, stage by stage.

``pytest exercises/attention`` writes the blanks of a part that are missing, ``exercises/attention/*.py``, and checks
what stands in them. In a notebook, ``check(scaled_dot_product_attention)`` checks what a cell defines. ``speak``
chooses the language of what they say.
"""

from exercises.checking import check
from exercises.language import speak

__all__ = ["check", "speak"]
