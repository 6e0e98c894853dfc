"""The code that the book explains, one idea a module.

Beside each module stand worked examples in Markdown.
"""
