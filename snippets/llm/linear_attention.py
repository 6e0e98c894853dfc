"""Linear attention: a state of fixed size in place of a cache, and the delta rule."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from snippets.attention.multi_head import merge_heads, split_heads
from snippets.families.rms_norm import RMSNorm
# --8<-- [end:imports]


# --8<-- [start:linear_attention]
def linear_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention without a softmax: each query reads a sum over the past.

    q, k: (..., n, d_k), v: (..., n, d_v); returns (..., n, d_v).
    Katharopoulos et al. (2020), equation 12, without their normalization.
    """
    state = v.new_zeros(*v.shape[:-2], k.size(-1), v.size(-1))
    outputs = []
    for t in range(k.size(-2)):
        q_t, k_t = q[..., t, None, :], k[..., t, None, :]  # rows: (..., 1, d_k)
        state = state + k_t.mT @ v[..., t, None, :]
        outputs.append(q_t @ state)
    return torch.cat(outputs, dim=-2)
# --8<-- [end:linear_attention]


# --8<-- [start:gated_delta_rule]
def gated_delta_rule(
    q: Tensor, k: Tensor, v: Tensor, beta: Tensor, decay: Tensor
) -> Tensor:
    """Before it writes, it decays, and takes out what the key would read.

    q, k: (..., n, d_k), v: (..., n, d_v), beta and decay: (..., n), from 0 to
    1. Returns (..., n, d_v). Yang, Kautz, Hatamizadeh (2025), equation 10.
    """
    state = v.new_zeros(*v.shape[:-2], k.size(-1), v.size(-1))
    outputs = []
    for t in range(k.size(-2)):
        q_t, k_t = q[..., t, None, :], k[..., t, None, :]  # rows: (..., 1, d_k)
        state = decay[..., t, None, None] * state
        change = beta[..., t, None, None] * (v[..., t, None, :] - k_t @ state)
        state = state + k_t.mT @ change
        outputs.append(q_t @ state)
    return torch.cat(outputs, dim=-2)
# --8<-- [end:gated_delta_rule]


# --8<-- [start:DeltaProjections]
class DeltaProjections(nn.Module):
    """What a GatedDeltaNet learns, for as many heads of keys as of values.

    Yang, Kautz, Hatamizadeh (2025), section 3.4: a short convolution over each
    feature of queries, keys and values, and a gate on the output.
    """

    def __init__(
        self, d_model: int, num_heads: int, d_k: int, d_v: int, kernel: int = 4
    ) -> None:
        super().__init__()
        self.num_heads, self.sizes = num_heads, (d_k, d_k, d_v)
        features = num_heads * (2 * d_k + d_v)
        self.w_qkv = nn.Linear(d_model, features, bias=False)
        self.convolution = nn.Conv1d(
            features, features, kernel, groups=features, bias=False
        )
        self.w_gate = nn.Linear(d_model, num_heads * d_v, bias=False)
        self.w_beta = nn.Linear(d_model, num_heads, bias=False)
        self.w_decay = nn.Linear(d_model, num_heads)
        self.rate = nn.Parameter(torch.zeros(num_heads))  # its logarithm
        self.norm = RMSNorm(d_v)
        self.w_o = nn.Linear(num_heads * d_v, d_model, bias=False)
# --8<-- [end:DeltaProjections]


# --8<-- [start:GatedDeltaNet]
class GatedDeltaNet(DeltaProjections):
    """A layer of gated delta rule, as in Qwen3-Next."""

    def forward(self, x: Tensor) -> Tensor:
        """x: (batch, n, d_model); returns the same shape."""
        qkv = self.w_qkv(x).mT  # (batch, features, n)
        before = self.convolution.kernel_size[0] - 1  # only the past is seen
        qkv = F.silu(self.convolution(F.pad(qkv, (before, 0)))).mT
        parts = [size * self.num_heads for size in self.sizes]
        q, k, v = (split_heads(y, self.num_heads) for y in qkv.split(parts, dim=-1))
        q, k = (y * torch.rsqrt(y.square().sum(-1, True) + 1e-6) for y in (q, k))
        beta = self.w_beta(x).sigmoid().mT  # (batch, heads, n)
        # logsigmoid(-y) is -softplus(y)
        decay = (self.rate.exp() * F.logsigmoid(-self.w_decay(x))).exp().mT
        output = gated_delta_rule(q / q.size(-1) ** 0.5, k, v, beta, decay)
        output = merge_heads(self.norm(output)) * F.silu(self.w_gate(x))
        return self.w_o(output)
# --8<-- [end:GatedDeltaNet]
