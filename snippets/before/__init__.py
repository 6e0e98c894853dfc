"""Before the Transformer: counting words, cutting text, translating step by step."""
