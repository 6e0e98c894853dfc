"""This book, read once for all tests of a process that look into it."""

from __future__ import annotations

from book import ROOT
from book.pages import Book

BOOK = Book.read(ROOT)
