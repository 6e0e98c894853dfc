"""Every model compiles without a break, and can be exported with sizes that are open."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from tests.every_model import MODELS, PACKED, ROUTED, build, inputs, run

pytestmark = pytest.mark.thorough
each_model = pytest.mark.parametrize("name", [name for name in MODELS if name not in PACKED | ROUTED])
BATCH = torch.export.Dim("batch", min=2, max=64)


@each_model
def test_one_graph_holds_the_whole_model(name):
    """The graph is that of torch.compile, forward and backward; aot_eager runs it without generating code."""
    torch.compiler.reset()
    one, given = build(name), inputs(name)
    expected = run(one, *given)
    compiled = torch.compile(lambda *x: run(one, *x), fullgraph=True, backend="aot_eager")
    assert_close(compiled(*given), expected)
    compiled(*given).sum().backward()
    found = [p.grad.clone() for p in one.parameters() if p.grad is not None]
    one.zero_grad()
    run(one, *given).sum().backward()
    right = [p.grad for p in one.parameters() if p.grad is not None]
    assert_close(found, right)


@each_model
def test_an_exported_model_takes_batches_of_any_size(name):
    one, given = build(name), inputs(name)
    program = torch.export.export(one, given, dynamic_shapes=[{0: BATCH} for _ in given])
    more = tuple(x.repeat(3, *[1] * (x.dim() - 1)) for x in given)
    found = run(program.module(), *more)
    assert_close(found, run(one, *given).repeat(3, *[1] * (found.dim() - 1)))
