"""What holds the book together: ``python -m book checks`` says what is wrong, where, and what to do.

The build warns of each problem (so a strict build refuses it), and the tests run the same checks. Each check is a
function that takes the book and yields problems; ``CHECKS`` of ``book/checks/every.py`` lists them.
"""
