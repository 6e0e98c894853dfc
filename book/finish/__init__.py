"""What is done to finished pages: marks of language, styles, policy, search text, feed, numbering, and the PDF."""
