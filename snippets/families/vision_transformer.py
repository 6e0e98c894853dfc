"""The Vision Transformer: patches of an image are the tokens of an encoder."""

# --8<-- [start:imports]
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from snippets.block.config import TransformerConfig
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.families.library import load_renamed
from snippets.positions.absolute import absolute_positions
from snippets.tools.inputs import check, check_order
# --8<-- [end:imports]


# --8<-- [start:grid]
def grid(height: int, width: int, size: int) -> tuple[int, int]:
    """Rows and columns of patches. Raises ValueError if pixels are left over."""
    check(min(height, width, size) > 0, f"no size: {height}, {width}, {size}")
    if height % size or width % size:
        raise ValueError(f"patches of {size} do not tile {height} by {width}")
    return height // size, width // size
# --8<-- [end:grid]


# --8<-- [start:to_patches]
def to_patches(images: Tensor, size: int) -> Tensor:
    """(batch, channels, height, width) -> (batch, n, channels * size * size).

    The n patches are in reading order. Raises ValueError if they do not fit.
    """
    if images.dim() != 4:
        shape = tuple(images.shape)
        raise ValueError(f"images are (batch, channels, h, w), not {shape}")
    batch, channels, height, width = images.shape
    rows, columns = grid(height, width, size)
    x = images.reshape(batch, channels, rows, size, columns, size)
    x = x.permute(0, 2, 4, 1, 3, 5)  # (batch, rows, columns, channels, size, size)
    return x.reshape(batch, rows * columns, channels * size * size)
# --8<-- [end:to_patches]


# --8<-- [start:shuffle_patches]
def shuffle_patches(images: Tensor, order: Tensor, size: int) -> Tensor:
    """Images of the same patches, with patch order[i] where patch i was.

    order: (n,), a permutation of 0 ... n - 1, or ValueError. The shape stays.
    """
    batch, channels, height, width = images.shape
    rows, columns = grid(height, width, size)
    check_order(order, rows * columns)
    x = to_patches(images, size)[:, order]
    x = x.reshape(batch, rows, columns, channels, size, size)
    return x.permute(0, 3, 1, 4, 2, 5).reshape(images.shape)
# --8<-- [end:shuffle_patches]


# --8<-- [start:VIT_BASE]
VIT_BASE = TransformerConfig(  # Dosovitskiy et al. (2021), table 1
    num_layers=12,
    d_model=768,
    num_heads=12,
    d_ff=3072,
    dropout=0.0,
    norm_first=True,
    activation=nn.functional.gelu,
    positions="learned",
    eps=1e-12,  # that of the library
)
# --8<-- [end:VIT_BASE]


# --8<-- [start:VisionTransformer]
class VisionTransformer(nn.Module):
    """Patches, a class token, positions, pre-LN layers.

    Equations 1 to 3 of Dosovitskiy et al. (2021). image_size is (height, width). Of
    the config, the fields about a vocabulary are not used.
    """

    def __init__(
        self,
        config: TransformerConfig,
        image_size: tuple[int, int],
        patch_size: int,
        channels: int = 3,
    ) -> None:
        super().__init__()
        check(
            isinstance(image_size, (tuple, list)) and len(image_size) == 2,
            f"image_size is (height, width), not {image_size}",
        )
        rows, columns = grid(*image_size, patch_size)
        n, d_model = rows * columns, config.d_model
        self.image_shape = (channels, *image_size)
        self.patches = nn.Conv2d(channels, d_model, patch_size, stride=patch_size)
        self.class_token = nn.Parameter(torch.zeros(1, 1, d_model))
        self.positions = absolute_positions(config.positions, n + 1, d_model)
        self.dropout = Dropout(config.dropout)
        self.encoder = EncoderStack(config)

    def embed(self, images: Tensor) -> Tensor:
        """(batch, channels, height, width) -> (batch, 1 + n, d_model).

        Raises ValueError for images of another shape.
        """
        if tuple(images.shape[1:]) != self.image_shape:
            expected = ("batch", *self.image_shape)
            raise ValueError(f"images are {expected}, not {tuple(images.shape)}")
        x = self.patches(images).flatten(2).transpose(1, 2)  # (batch, n, d_model)
        x = torch.cat([self.class_token.expand(x.size(0), -1, -1), x], dim=1)
        positions = torch.arange(x.size(1), device="cpu")
        return self.dropout(x + self.positions(positions).to(x))

    def forward(self, images: Tensor) -> Tensor:
        """A vector for the class token and one for each patch; no mask."""
        return self.encoder(self.embed(images))
# --8<-- [end:VisionTransformer]


# --8<-- [start:ViTClassifier]
class ViTClassifier(nn.Module):
    """Logits of an image's class, from the class token or the patches' mean."""

    def __init__(
        self, vit: VisionTransformer, num_classes: int, pool: str = "class"
    ) -> None:
        super().__init__()
        if pool not in ("class", "mean"):
            raise ValueError(f"pool is class or mean, not {pool!r}")
        self.vit, self.pool = vit, pool
        self.classifier = nn.Linear(vit.class_token.size(-1), num_classes)

    def forward(self, images: Tensor) -> Tensor:
        """(batch, channels, height, width) -> (batch, num_classes)."""
        x = self.vit(images)  # (batch, 1 + n, d_model)
        pooled = x[:, 0] if self.pool == "class" else x[:, 1:].mean(dim=1)
        return self.classifier(pooled)
# --8<-- [end:ViTClassifier]


# --8<-- [start:VIT_NAMES]
VIT_NAMES = {  # part of our names: the same part in transformers
    "class_token": "embeddings.cls_token",
    "positions.table": "embeddings.position_embeddings",
    "patches": "embeddings.patch_embeddings.projection",
    "encoder.norm": "layernorm",
    "encoder.": "",
    "residual_1.norm": "layernorm_before",
    "residual_2.norm": "layernorm_after",
    "attention.w_q": "attention.q_proj",
    "attention.w_k": "attention.k_proj",
    "attention.w_v": "attention.v_proj",
    "attention.w_o": "attention.o_proj",
    "feed_forward.w_1": "mlp.fc1",
    "feed_forward.w_2": "mlp.fc2",
    "gamma": "weight",
    "beta": "bias",
}
# --8<-- [end:VIT_NAMES]


# --8<-- [start:load_vit]
def load_vit(model: nn.Module, state: Mapping[str, Tensor]) -> None:
    """The library's weights. Its table of positions is (1, 1 + n, d_model)."""
    tables = {
        name: table.squeeze(0)
        for name, table in state.items()
        if name.endswith("position_embeddings")
    }
    load_renamed(model, {**state, **tables}, VIT_NAMES)
# --8<-- [end:load_vit]
