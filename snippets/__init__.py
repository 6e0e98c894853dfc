"""The code that the book explains: one idea a module, each with worked examples in Markdown."""
