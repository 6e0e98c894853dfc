"""What Markdown becomes: one extension of Python-Markdown, in ordered steps."""
