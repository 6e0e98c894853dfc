"""What a stack of layers looks like before any training: sizes and gradients."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.block.config import TransformerConfig
from snippets.block.encoder_layer import EncoderStack
# --8<-- [end:imports]


# --8<-- [start:xavier_stack]
def xavier_stack(num_layers: int, norm_first: bool, seed: int) -> EncoderStack:
    """A stack of 64 dimensions without dropout, Xavier weights, zero biases."""
    torch.manual_seed(seed)
    config = TransformerConfig(
        num_layers=num_layers,
        d_model=64,
        num_heads=4,
        d_ff=256,
        dropout=0.0,
        norm_first=norm_first,
    )
    stack = EncoderStack(config)
    for name, parameter in stack.named_parameters():
        if parameter.dim() == 2:
            nn.init.xavier_normal_(parameter)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
    return stack
# --8<-- [end:xavier_stack]


# --8<-- [start:gradients_by_layer]
def gradients_by_layer(num_layers: int, norm_first: bool, seed: int) -> Tensor:
    """Norm of the loss gradient for W_2 of each layer's feed-forward network.

    The loss is a cross-entropy over 100 random classes, for 4 x 16 random tokens.
    Returns (num_layers,), from the first layer to the last.
    """
    stack = xavier_stack(num_layers, norm_first, seed)
    head = nn.Linear(64, 100)
    nn.init.normal_(head.weight, std=64**-0.5)
    x, classes = torch.randn(4, 16, 64), torch.randint(100, (4 * 16,))
    loss = nn.functional.cross_entropy(head(stack(x)).flatten(0, 1), classes)
    loss.backward()
    norms = [layer.feed_forward.w_2.weight.grad.norm() for layer in stack.layers]
    return torch.stack(norms)
# --8<-- [end:gradients_by_layer]


# --8<-- [start:sizes_by_layer]
@torch.no_grad()
def sizes_by_layer(num_layers: int, norm_first: bool, seed: int) -> Tensor:
    """Root mean square of the vectors after each layer, before a final norm.

    Returns (num_layers + 1,); the first is the input's.
    """
    stack = xavier_stack(num_layers, norm_first, seed)
    x = torch.randn(4, 16, 64)
    sizes = [x.square().mean().sqrt()]
    for layer in stack.layers:
        x = layer(x)
        sizes.append(x.square().mean().sqrt())
    return torch.stack(sizes)
# --8<-- [end:sizes_by_layer]
