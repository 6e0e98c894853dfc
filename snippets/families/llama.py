"""Llama: today's block as a layer, and a decoder made of such layers."""

# --8<-- [start:imports]
from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import head_size
from snippets.families.library import load_renamed
from snippets.families.rms_norm import RMSNorm
from snippets.families.todays_block import GroupedQueryAttention, SwiGLU
from snippets.tools.check import check_fields
from snippets.tools.inputs import check_ids
# --8<-- [end:imports]


# --8<-- [start:LlamaConfig]
@dataclass(frozen=True, kw_only=True)
class LlamaConfig:
    """Without arguments, the 7B model of Touvron et al. (2023), table 2.

    Raises ValueError unless its sizes fit together: RoPE needs an even d_k.
    """

    vocab_size: int = 32_000
    num_layers: int = 32
    d_model: int = 4096
    num_heads: int = 32
    num_kv_heads: int = 32  # fewer: grouped-query attention; 1: multi-query
    d_ff: int = 11_008  # 8/3 d_model, rounded up to a multiple of 256
    rope_theta: float = 10_000.0  # the base of RoPE's frequencies
    eps: float = 1e-6  # of RMSNorm

    def __post_init__(self) -> None:
        check_fields(
            self, num_layers=self.num_layers > 0,
            num_heads=head_size(self.d_model, self.num_heads) % 2 == 0,  # pairs
            eps=self.eps > 0,
        )
# --8<-- [end:LlamaConfig]


# --8<-- [start:LlamaLayer]
class LlamaLayer(nn.Module):
    """Touvron et al. (2023), section 2.2: pre-LN with RMSNorm, SwiGLU, RoPE.

    As in the released code, there are no biases and there is no dropout.
    """

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        d_model, heads = config.d_model, (config.num_heads, config.num_kv_heads)
        self.norm_1 = RMSNorm(d_model, config.eps)
        self.attention = GroupedQueryAttention(d_model, *heads, config.rope_theta)
        self.norm_2 = RMSNorm(d_model, config.eps)
        self.feed_forward = SwiGLU(d_model, config.d_ff)

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape."""
        x = x + self.attention(self.norm_1(x), attn_mask)
        return x + self.feed_forward(self.norm_2(x))
# --8<-- [end:LlamaLayer]


# --8<-- [start:Llama]
class Llama(nn.Module):
    """Decoder-only; the embedding and the output have a matrix each."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        layers = (LlamaLayer(config) for _ in range(config.num_layers))
        self.layers = nn.ModuleList(layers)
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, ids: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """Logits of the token after each: (batch, n) -> (batch, n, vocab_size).

        attn_mask: (batch, 1, n), False for padding; the future is always hidden.
        """
        check_ids(ids)
        mask = causal_mask(ids.size(1), ids.device)
        if attn_mask is not None:
            mask = mask & attn_mask
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(self.norm(x))
# --8<-- [end:Llama]


# --8<-- [start:halves_to_pairs]
def halves_to_pairs(weight: Tensor, num_heads: int) -> Tensor:
    """Rows i and i + d_k/2 of each head become neighbours, 2i and 2i + 1.

    weight: (num_heads d_k, ...), of W_Q or W_K; returns the same shape.
    """
    halves = weight.unflatten(0, (num_heads, 2, -1))  # (heads, 2, d_k / 2, ...)
    return halves.transpose(1, 2).flatten(0, 2)
# --8<-- [end:halves_to_pairs]


# --8<-- [start:load_llama]
LLAMA_NAMES = {  # what stands here in a name, and in that of transformers
    "tokens": "model.embed_tokens",
    "layers": "model.layers",
    "norm.": "model.norm.",
    "attention": "self_attn",
    "feed_forward": "mlp",
    "norm_1": "input_layernorm",
    "norm_2": "post_attention_layernorm",
    "w_q": "q_proj",
    "w_k": "k_proj",
    "w_v": "v_proj",
    "w_o": "o_proj",
    "w_gate": "gate_proj",
    "w_up": "up_proj",
    "w_down": "down_proj",
    "head": "lm_head",
    "gamma": "weight",
}


def in_pairs(state: Mapping[str, Tensor], config: LlamaConfig) -> dict[str, Tensor]:
    """The library's weights, as they are for neighbouring pairs."""
    heads = {"q_proj": config.num_heads, "k_proj": config.num_kv_heads}

    def arrange(name: str, weight: Tensor) -> Tensor:
        of = name.split(".")[-2]  # such as q_proj
        return halves_to_pairs(weight, heads[of]) if of in heads else weight

    return {name: arrange(name, weight) for name, weight in state.items()}


def load_llama(
    model: Llama, state: Mapping[str, Tensor], config: LlamaConfig
) -> None:
    """Copy the weights of transformers' LlamaForCausalLM into a Llama."""
    load_renamed(model, in_pairs(state, config), LLAMA_NAMES)
# --8<-- [end:load_llama]


# --8<-- [start:kv_cache_bytes]
def kv_cache_bytes(config: LlamaConfig, length: int, number: int = 2) -> int:
    """Keys and values of one sequence, in all layers; number: bytes of each."""
    d_k = head_size(config.d_model, config.num_heads)
    return 2 * config.num_layers * config.num_kv_heads * d_k * length * number
# --8<-- [end:kv_cache_bytes]
