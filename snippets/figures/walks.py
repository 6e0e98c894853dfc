"""The colors of the pictures of both walks, which have no variables: shades that can be seen in either theme."""

#: Of weights, violet as everywhere, and of vectors, which have no role.
WEIGHTS, VECTORS = "#9a63bd", "#7c848e"
