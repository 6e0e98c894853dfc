"""The figures of the book, one module each, by part. ``python -m book.figures`` draws them."""
