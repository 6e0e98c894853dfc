"""What is made from code, and from what: figures, results, weights, labs, notebooks, and what examples print."""
