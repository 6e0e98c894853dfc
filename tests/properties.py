"""What the property tests share: how many examples they try, and the tensors they draw.

Nothing here may import snippets: tests.machinery.mutants replaces those modules under running tests.
"""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

# The same examples on every run: a failure on one machine is a failure on every machine.
settings.register_profile("book", max_examples=30, deadline=None, derandomize=True, database=None)
settings.load_profile("book")

sizes = st.integers(1, 5)


def tensors(*shape: int, limit: float = 4.0) -> st.SearchStrategy[torch.Tensor]:
    """float64 tensors of that shape with entries between -limit and limit."""
    elements = st.floats(-limit, limit, allow_subnormal=False)
    return arrays(np.float64, shape, elements=elements).map(torch.from_numpy)


def masks(*shape: int) -> st.SearchStrategy[torch.Tensor]:
    """Boolean tensors of that shape; fully masked rows occur."""
    return arrays(np.bool_, shape).map(torch.from_numpy)


def orders(n: int) -> st.SearchStrategy[torch.Tensor]:
    """Permutations of 0 .. n - 1, to index with."""
    return st.permutations(range(n)).map(torch.tensor)


def rotation(d: int, seed: int) -> torch.Tensor:
    """A random orthogonal (d, d) matrix in float64 (a rotation, possibly with a reflection)."""
    generator = torch.Generator().manual_seed(seed)
    return torch.linalg.qr(torch.randn(d, d, dtype=torch.float64, generator=generator)).Q
