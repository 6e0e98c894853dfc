"""What a model does: which modules run, in what order, and what shapes come out."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:steps]
@torch.no_grad()
def steps(model: nn.Module, *inputs: Tensor) -> list[tuple[str, tuple[int, ...]]]:
    """Name and output shape of each submodule, in the order in which they finish.

    Of several outputs, the first one's shape. The model itself is named "".
    """
    seen = []

    def note(name: str):
        def hook(module, arguments, output) -> None:
            first = output[0] if isinstance(output, tuple) else output
            seen.append((name, tuple(first.shape)))

        return hook

    modules = model.named_modules()
    hooks = [module.register_forward_hook(note(name)) for name, module in modules]
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return seen
# --8<-- [end:steps]
