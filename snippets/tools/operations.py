"""What PyTorch really calls, and how large the tensors are that it makes."""

# --8<-- [start:imports]
from collections.abc import Callable

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
# --8<-- [end:imports]


# --8<-- [start:operations]
def operations(function: Callable, *inputs, **options) -> list[tuple[str, int]]:
    """The operations of function(*inputs, **options), in order.

    Each by its name, with the size of the largest tensor that it makes.
    """
    seen = []

    class Recorder(TorchDispatchMode):
        def __torch_dispatch__(self, operation, types, args, kwargs):
            result = operation(*args, **kwargs)
            made = [t.numel() for t in tree_leaves(result) if isinstance(t, Tensor)]
            seen.append((operation.overloadpacket.__name__, max(made, default=0)))
            return result

    with Recorder():
        function(*inputs, **options)
    return seen


def largest_tensor(function: Callable, *inputs, **options) -> int:
    """How many numbers the largest tensor holds that is made on the way."""
    return max(numel for _, numel in operations(function, *inputs, **options))
# --8<-- [end:operations]
