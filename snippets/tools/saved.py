"""How much memory a backward pass needs: the activations that autograd saves for it."""

# --8<-- [start:imports]
from collections.abc import Callable

from torch import Tensor, autograd, nn
# --8<-- [end:imports]


# --8<-- [start:saved_activations]
def saved_activations(
    function: nn.Module | Callable, *inputs: Tensor, **options
) -> int:
    """How many numbers autograd saves to differentiate function(*inputs, ...).

    Inputs and the parameters of a module are not counted: they exist anyway. On
    the device "meta", too, where all data would be at the same address.
    """
    parameters = function.parameters() if isinstance(function, nn.Module) else ()
    given = {t.untyped_storage()._cdata for t in (*inputs, *parameters)}
    saved: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage._cdata not in given:  # nor a view of what was given
            saved[storage._cdata] = storage.nbytes() // tensor.element_size()
        return tensor.detach()  # an output would hold on to its own graph, for good

    with autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        result = function(*inputs, **options)
    del result
    return sum(saved.values())
# --8<-- [end:saved_activations]
