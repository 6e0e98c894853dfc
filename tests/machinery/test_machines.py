"""The book prints the same on another machine, as far as this one can imitate it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from book import ROOT
from book.artifacts import machines
from tests.machinery.shards import ours


def imitated(machine: str, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, machines.VARIABLE: machine}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.thorough
@pytest.mark.parametrize("machine", ours(machines.MACHINES))
def test_all_examples_and_pages_print_the_same_on(machine):
    pages = "tests/machinery/test_pages.py::test_a_page_pasted_into_a_fresh_process_prints_what_it_shows"
    run = imitated(machine, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "snippets", pages)
    assert run.returncode == 0, run.stdout


OPERATIONS = {
    "mm": lambda a, b: a @ b.T,
    "mv": lambda a, b: a @ b[0],
    "bmm": lambda a, b: torch.einsum("hik,hjk->hij", a.view(4, 16, 48), b.view(4, 16, 48)),
    "addmm": lambda a, b: F.linear(a, b, b.sum(dim=1)),
    "sum": lambda a, b: (a * b).sum(dim=0),
    "mean": lambda a, b: (a * b).mean(dim=-1),
    "logsumexp": lambda a, b: (a * b).logsumexp(dim=-1),
    "norm": lambda a, b: (a * b).norm(dim=-1),
    "softmax": lambda a, b: (a * b).softmax(dim=-1),
    "log_softmax": lambda a, b: (a * b).log_softmax(dim=0),
    "layer_norm": lambda a, b: F.layer_norm(a, (48,), b[0], b[1]),
    "cross_entropy": lambda a, b: torch.stack([F.cross_entropy(a, (b[:, 0] > i).long()) for i in range(-2, 3)]),
    "attention": lambda a, b: F.scaled_dot_product_attention(a[None, None], b[None, None], b[None, None]),
    "embedding": lambda a, b: F.embedding(torch.arange(640) % 5, a) * b.repeat(10, 1),
    "conv2d": lambda a, b: F.conv2d(a.view(1, 64, 6, 8), b.view(16, 64, 3, 1)),
    "lstm": lambda a, b: lstm()(a * b)[0],
}
#: One of both adds nothing up: what is looked up, and the gradient of a sum.
ONLY_BACKWARD, ONLY_FORWARD = {"embedding"}, {"mv", "sum", "mean"}


def lstm() -> nn.LSTM:
    torch.manual_seed(0)
    return nn.LSTM(48, 8)


def computed(name: str, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """The result and the gradient with respect to a, unless they are exact in any case."""
    a, b = torch.randn(2, 64, 48, generator=torch.Generator().manual_seed(0)).to(dtype).unbind()
    a.requires_grad_()
    result = OPERATIONS[name](a, b)
    (result * torch.linspace(-1, 1, result.numel(), dtype=dtype).view_as(result)).sum().backward()
    return [result.detach()] * (name not in ONLY_BACKWARD) + [a.grad] * (name not in ONLY_FORWARD)


def rounding(name: str) -> type:
    """Loaded where a test asks for it: it takes as long as torch, and every process collects this file."""
    return getattr(importlib.import_module("book.artifacts.roundings"), name)


@pytest.mark.parametrize("mode", ["Float64", "Reversed"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_other_roundings_change_last_digits_and_no_others(name, mode, monkeypatch):
    monkeypatch.setattr(torch.backends.mkldnn, "enabled", False)  # as ``enter`` does it
    here = computed(name)
    with rounding(mode)():
        there = computed(name)
    for one, other in zip(here, there, strict=True):
        assert one.dtype == other.dtype == torch.float32 and one.shape == other.shape
        assert not one.equal(other), f"{mode} leaves {name} as it is"
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-4 * one.abs().max().item())


@pytest.mark.parametrize("name", ["mm", "bmm", "addmm", "mv", "conv2d"])
def test_in_float64_a_product_is_rounded_once(name):
    a, b = torch.randn(2, 64, 48, generator=torch.Generator().manual_seed(0)).unbind()
    bias = b.double().sum(dim=1).float().double()  # in a product with a bias, that has been rounded before
    exact = F.linear(a.double(), b.double(), bias) if name == "addmm" else OPERATIONS[name](a.double(), b.double())
    with rounding("Float64")():
        assert OPERATIONS[name](a, b).equal(exact.float())


def test_reversed_adds_up_from_the_last():
    a = torch.tensor([1e8, -1e8, 1.0]).repeat(1, 1)
    with rounding("Reversed")():
        assert (a @ torch.ones(3, 1)).item() in (0, 1)
    big = torch.tensor([[1.0, 1e8, -1e8]])
    column = torch.ones(3, 1)
    with rounding("Reversed")():
        other = big @ column
    assert other.equal(big.flip(1) @ column)


@pytest.mark.parametrize("mode", ["Float64", "Reversed"])
def test_what_is_no_float32_is_left_alone(mode):
    for dtype in (torch.float64, torch.bfloat16):
        a, b = torch.randn(2, 64, 48, generator=torch.Generator().manual_seed(0)).to(dtype).unbind()
        here = a @ b.T, a.sum(dim=0), a.softmax(dim=-1)
        with rounding(mode)():
            there = a @ b.T, a.sum(dim=0), a.softmax(dim=-1)
        assert all(one.equal(other) for one, other in zip(here, there, strict=True))
    with rounding(mode)():
        torch.manual_seed(0)
        drawn = torch.rand(5), F.dropout(torch.ones(5))
    torch.manual_seed(0)
    assert drawn[0].equal(torch.rand(5)) and drawn[1].equal(F.dropout(torch.ones(5)))


@pytest.mark.parametrize("mode", ["Float64", "Reversed"])
@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (lambda x: F.cross_entropy(x, torch.zeros(2)), "target.* Float"),
        (lambda x: x @ x.bfloat16().T, "float != .*BFloat16"),
        (lambda x: x @ x, r"\(2x5 and 2x5\)"),
        (lambda x: F.layer_norm(x, (4,)), r"shape=\[4\]"),
    ],
)
def test_an_error_says_the_same_of_the_caller_s_tensors(refused, said, mode):
    x = torch.zeros(2, 5)
    with pytest.raises(RuntimeError, match=said) as here:
        refused(x)
    with rounding(mode)(), pytest.raises(RuntimeError) as there:
        refused(x)
    assert str(there.value) == str(here.value)


@pytest.mark.thorough
@pytest.mark.parametrize("machine", machines.MACHINES)
def test_examples_are_run_on_the_machine_that_is_named(machine):
    code = (
        "import torch; from book.artifacts import machines; machines.imitate(); "
        "from book.artifacts.roundings import ENTERED; "
        "print(torch.backends.cpu.get_cpu_capability(), *ENTERED)"
    )
    here = torch.backends.cpu.get_cpu_capability()
    (capability, *modes) = imitated(machine, "-c", code).stdout.split()
    wanted = {"default": "DEFAULT", "avx2": here if here == "DEFAULT" else "AVX2"}.get(machine, here)
    assert capability == wanted and modes == [m for m in machines.ROUNDINGS if m == machine]


def test_a_machine_that_there_is_not_is_refused(monkeypatch):
    monkeypatch.setenv(machines.VARIABLE, "vax")
    with pytest.raises(SystemExit, match="IMITATE=vax: there are default, avx2, float64, reversed"):
        machines.imitate()
