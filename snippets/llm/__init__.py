"""A published language model in the book's code, and the parts of larger ones."""
