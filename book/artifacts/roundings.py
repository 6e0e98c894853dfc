"""PyTorch with other roundings, as two modes through which each operation goes: see ``book/artifacts/machines.py``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future

import torch
from torch import Tensor
from torch.nn.attention.bias import CausalBias
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

from snippets.tools import in_parallel

WIDE = {torch.float32: torch.float64, torch.complex64: torch.complex128}
NARROW = {wide: narrow for narrow, wide in WIDE.items()}
#: Operations that round at most once in any case, are random, or only move numbers: without those, all else would
#: take many times as long. A tag says so of most.
EXACT = {"_to_copy", "arange", "cat", "clone", "copy", "embedding", "empty_like", "flip", "full_like", "gather"}
EXACT |= {"index", "index_select", "ones_like", "repeat", "stack", "zeros_like", "_unsafe_view"}
#: Random only with dropout, which its callers in the book do not ask it for.
ATTENTION = "_scaled_dot_product_flash_attention_for_cpu"


class Float64(TorchDispatchMode):
    """Products and reductions of float32 are computed in float64, and their result is rounded."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        dtypes = {x.dtype for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor)}
        dtypes |= {x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.dtype)}
        floats = {dtype for dtype in dtypes if dtype.is_floating_point or dtype.is_complex}
        if not floats or not floats <= WIDE.keys() or not _rounds(operation):
            return operation(*args, **kwargs)
        wide_args, wide_kwargs = tree_map(lambda x: _to(x, WIDE), (args, kwargs))
        try:
            return tree_map(lambda x: _to(x, NARROW), operation(*wide_args, **wide_kwargs))
        except (RuntimeError, IndexError):
            operation(*args, **kwargs)  # what it refuses, it refuses in the words that name the caller's dtype
            raise


def _rounds(operation) -> bool:
    name, tags = operation.overloadpacket.__name__, operation.tags
    is_random = torch.Tag.nondeterministic_seeded in tags and name != ATTENTION
    changes = operation.is_view or operation._schema.is_mutable
    return not (is_random or changes or torch.Tag.pointwise in tags or name in EXACT)


def _to(x: object, dtypes: dict[torch.dtype, torch.dtype]) -> object:
    if isinstance(x, torch.dtype):
        return dtypes.get(x, x)
    return x.to(dtypes[x.dtype]) if isinstance(x, Tensor) and x.dtype in dtypes else x


class Reversed(TorchDispatchMode):
    """What is added up of float32 is added up from the last to the first."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        turned = TURNED.get(operation.overloadpacket.__name__)
        tensors = [x for x in args if isinstance(x, Tensor)]
        if turned is None or not tensors or tensors[0].dtype != torch.float32 or operation._schema.is_mutable:
            return operation(*args, **kwargs)
        return turned(operation, *args, **kwargs)


def _product(first: int) -> Callable:
    """Of two matrices, from argument ``first`` on: the last axis of one meets the last but one of the other."""

    def turned(operation, *args, **kwargs):
        a, b = args[first : first + 2]
        turned = a.flip(-1), b.flip(-1 if b.dim() == 1 else -2)
        return operation(*args[:first], *turned, *args[first + 2 :], **kwargs)

    return turned


def _reduced(operation, x: Tensor, *args, **kwargs):
    """Of a reduction, over the axes in ``dim``, or over all."""
    names = [argument.name for argument in operation._schema.arguments]
    given = dict(zip(names[1:], args, strict=False)) | kwargs
    dim = given.get("dim")
    axes: Sequence = dim if isinstance(dim, Sequence) and dim else range(x.dim()) if dim in (None, []) else [dim]
    return operation(x.flip(list(axes)), *args, **kwargs)


def _along(tensors: int, axis: Callable[..., int]) -> Callable:
    """Of what keeps the axis along which it adds up: all tensors are turned, and the results turned back."""

    def turned(operation, *args, **kwargs):
        dim = axis(*args)
        turned = [x.flip(dim) for x in args[:tensors]]
        return operation(*turned, *args[tensors:], **kwargs).flip(dim)

    return turned


def _last(*tensors: int, back: Sequence[int] = (0,)) -> Callable:
    """The last axis of the arguments at these positions is turned, and that of the results at ``back``."""

    def turned(operation, *args, **kwargs):
        turned = [x.flip(-1) if i in tensors and x is not None else x for i, x in enumerate(args)]
        results = operation(*turned, **kwargs)
        return tuple(x.flip(-1) if i in back and x is not None else x for i, x in enumerate(results))

    return turned


def _layer_norm(operation, *args, **kwargs):
    shape = args[1] if isinstance(args[1], Sequence) else args[2]
    if len(shape) > 1:
        return operation(*args, **kwargs)
    return (NORM if isinstance(args[1], Sequence) else NORM_BACKWARD)(operation, *args, **kwargs)


NORM = _last(0, 2, 3)
NORM_BACKWARD = _last(0, 1, 5, 6, back=(0, 1, 2))


def _rows(operation, gradient: Tensor, ids: Tensor, *args):
    """Of the gradient of an embedding, into whose rows the gradients of all tokens are added."""
    return operation(gradient.flatten(0, -2).flip(0), ids.flatten().flip(0), *args)


def _loss(operation, x: Tensor, target: Tensor, weight, reduction: int, *args):
    if reduction == 0 or x.dim() == 1:
        return operation(x, target, weight, reduction, *args)
    return operation(x.flip(0), target.flip(0), weight, reduction, *args)


def _convolution(operation, x: Tensor, weight: Tensor, *args):
    transposed, groups = args[4], args[6]
    if transposed or groups != 1:
        return operation(x, weight, *args)
    return operation(x.flip(1), weight.flip(1), *args)


def _convolution_backward(operation, gradient: Tensor, x: Tensor, weight: Tensor, *args):
    transposed, groups = args[4], args[6]
    if transposed or groups != 1:
        return operation(gradient, x, weight, *args)
    of_x, of_weight, of_bias = operation(gradient.flip(1), x, weight.flip(0), *args)
    return of_x, *(None if x is None else x.flip(0) for x in (of_weight, of_bias))


TURNED: dict[str, Callable] = {
    **dict.fromkeys(("mm", "bmm", "mv", "dot"), _product(0)),
    **dict.fromkeys(("addmm", "baddbmm", "addmv"), _product(1)),
    **dict.fromkeys(("sum", "mean", "var", "std", "var_mean", "logsumexp", "linalg_vector_norm"), _reduced),
    **dict.fromkeys(("_softmax", "_log_softmax"), _along(1, lambda x, dim, *_: dim)),
    **dict.fromkeys(("_softmax_backward_data", "_log_softmax_backward_data"), _along(2, lambda g, y, dim, *_: dim)),
    **dict.fromkeys(("native_layer_norm", "native_layer_norm_backward"), _layer_norm),
    ATTENTION: _last(0, 1, 2),
    f"{ATTENTION}_backward": _last(0, 1, 2, 3, 4, back=(0, 1, 2)),
    "embedding_dense_backward": _rows,
    "nll_loss_forward": _loss,
    "convolution": _convolution,
    "convolution_backward": _convolution_backward,
}


def enter(name: str) -> None:
    """Compute so from now on, in this thread."""
    if name not in ENTERED:
        ENTERED.append(name)
        # A whole LSTM would be computed at once, where each product is to go through; other processes would round as
        # this machine does. What is exchanged has a type of its own each time.
        torch.backends.mkldnn.enabled = False  # type: ignore[assignment]
        CausalBias.__new__ = _outside  # type: ignore[method-assign, assignment]
        in_parallel.processes = _Here  # type: ignore[assignment]
        {"float64": Float64, "reversed": Reversed}[name]().__enter__()


class _Here(Executor):
    """What is submitted is computed at once."""

    def submit(self, function, /, *args, **kwargs) -> Future:
        future: Future = Future()
        future.set_result(function(*args, **kwargs))
        return future


def _outside(subclass: type, *args) -> Tensor:
    """A tensor without storage, of a class that PyTorch refuses to make of one that has come through a mode."""
    with _disable_current_modes():
        return Tensor.__new__(subclass)


ENTERED: list[str] = []
