"""What hangs the book on a site generator: MkDocs, and Zensical as an experiment."""
