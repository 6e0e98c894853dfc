"""What is written by hand, read and taken apart: pages, glossary, questions, comments. Nothing is made here."""
