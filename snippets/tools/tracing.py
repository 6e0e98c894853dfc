"""What a model does: which modules run, in what order, and what shapes come out."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:steps]
@torch.no_grad()
def outputs(model: nn.Module, *inputs: Tensor | None) -> list[tuple[str, tuple]]:
    """Name and outputs of each submodule, in the order in which they finish.

    The outputs are a tuple, also of one. The model itself is named "".
    """
    seen = []

    def note(name: str):
        def hook(module, arguments, output) -> None:
            seen.append((name, output if isinstance(output, tuple) else (output,)))

        return hook

    modules = model.named_modules()
    hooks = [module.register_forward_hook(note(name)) for name, module in modules]
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return seen


def steps(model: nn.Module, *inputs: Tensor) -> list[tuple[str, tuple[int, ...]]]:
    """Name and shape of the first output of each submodule, in that order."""
    return [(name, tuple(out[0].shape)) for name, out in outputs(model, *inputs)]
# --8<-- [end:steps]
