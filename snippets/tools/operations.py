"""What PyTorch really calls, and how large the tensors are that it makes."""

# --8<-- [start:imports]
from collections.abc import Callable

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
# --8<-- [end:imports]


# --8<-- [start:operations]
class Recorder(TorchDispatchMode):
    """Notes each operation: its name, and the largest size of what it makes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, int]] = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        made = [t.numel() for t in tree_leaves(result) if isinstance(t, Tensor)]
        self.seen.append((operation.overloadpacket.__name__, max(made, default=0)))
        return result


def operations(function: Callable, *inputs, **options) -> list[tuple[str, int]]:
    """The operations of function(*inputs, **options), in order."""
    with Recorder() as recorder:
        function(*inputs, **options)
    return recorder.seen


def largest_tensor(function: Callable, *inputs, **options) -> int:
    """How many numbers the largest tensor holds that is made on the way."""
    return max(numel for _, numel in operations(function, *inputs, **options))
# --8<-- [end:operations]
