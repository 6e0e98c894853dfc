"""What a configuration says of a model, and what the decoders in transformers are made of."""

# --8<-- [start:imports]
import ast
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
# --8<-- [end:imports]


# --8<-- [start:cached_by_layer]
def cached_by_layer(config: Any, n: int) -> list[int]:
    """How many numbers each layer stores of n tokens, from the configuration."""
    heads = config.num_attention_heads
    d_head = getattr(config, "head_dim", None) or config.hidden_size // heads
    of_a_token = 2 * config.num_key_value_heads * d_head  # keys and values
    if hasattr(config, "kv_lora_rank"):  # MLA: one vector for all heads
        of_a_token = config.kv_lora_rank + config.qk_rope_head_dim
    window = getattr(config, "sliding_window", None) or n
    tokens = {"full_attention": n, "sliding_attention": min(n, window)}
    tokens["linear_attention"] = 0
    kinds = getattr(config, "layer_types", None)  # without: all layers are alike
    kinds = kinds or ["sliding_attention"] * config.num_hidden_layers
    if unknown := set(kinds) - set(tokens):
        raise ValueError(f"unknown kinds of layer: {sorted(unknown)}")
    return [of_a_token * tokens[kind] for kind in kinds]
# --8<-- [end:cached_by_layer]


# --8<-- [start:cached_numbers]
def cached_numbers(config: Any, n: int) -> int:
    """All layers together, without the states of linear attention."""
    return sum(cached_by_layer(config, n))


def state_numbers(config: Any) -> int:
    """How many numbers its layers of linear attention store, of any text."""
    layers = (getattr(config, "layer_types", None) or []).count("linear_attention")
    if not layers:
        return 0
    state = config.linear_key_head_dim * config.linear_value_head_dim
    return layers * config.linear_num_value_heads * state
# --8<-- [end:cached_numbers]


# --8<-- [start:ten_models]
def ten_models() -> dict[str, Any]:
    """Ten published models; the defaults of seven classes are their sizes."""
    import transformers as t

    eight = {"num_key_value_heads": 8}
    gemma = {"num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128}
    return {
        "OLMo 2 7B": t.Olmo2Config(),
        "Mistral 7B": t.MistralConfig(),
        "Llama 3.1 8B": t.LlamaConfig(**eight),
        "Qwen3 8B": t.Qwen3Config(num_hidden_layers=36, **eight),
        "SmolLM3 3B": t.SmolLM3Config(),
        "Gemma 3 27B": t.Gemma3TextConfig(**gemma, sliding_window=1024),
        "Mixtral 8x7B": t.MixtralConfig(),
        "gpt-oss-120b": t.GptOssConfig(),
        "Qwen3-Next 80B": t.Qwen3NextConfig(),
        "DeepSeek-V3 671B": t.DeepseekV3Config(),
    }
# --8<-- [end:ten_models]


# --8<-- [start:PARTS]
PARTS = {  # how a part shows in the code of a model or of its configuration
    "win": r"sliding_window|attention_chunk_size",
    "lin": r"class \w*(Delta(Net|Attention)|Mixer"
    r"|Mamba\w*Layer|ShortConv|LightningAttention|RecurrentBlock)\b",
    "MLA": r"kv_lora_rank",
    "sel": r"class \w*Indexer\b",
    "MoE": r"class \w*(Experts|MoE|SparseMoeBlock)\b",
    "QK": r"self\.(q_norm|q_layernorm|query_layernorm|qk_norm) =",
    "gate": r"(?s)class \w*Attention\b(?:(?!\nclass ).)*"
    r"(sigmoid\(gate|gate_proj|g_proj|output_gate)",
    "sink": r"self\.sinks =",
    "NoPE": r"no_rope_layers|\n +if (?!.*(interleave|mem_rope|rotary_emb)).*:\n"
    r"(?: .*\n){0,2}? +.*apply_rot\w*\(",  # rotated under a condition only
    "HC": r"self\.attn_(hc|hyper_connection) =",
    "GQA": r"num_key_value_groups",
}
# --8<-- [end:PARTS]


# --8<-- [start:events]
NORM = re.compile(r"(?i)norm")
SUBLAYER = re.compile(r"att|mlp|moe|feed_forward|mixer|mamba|conv")
BESIDE = re.compile(r"hc\b|hyper|_input")  # what mixes several streams


def events(node: ast.AST) -> list[str]:
    """What code does, in the order in which it is computed.

    "norm" and "sublayer": it calls one, "add": it adds, "keep": it gives a value a
    second name, as a residual. An if counts as its first branch that does this.
    """
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If):
        both = (node.body, node.orelse)
        branches = ([e for line in lines for e in events(line)] for lines in both)
        return next(filter(None, branches), [])
    found = [event for child in children for event in events(child)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*found, "add"]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
        return ["keep"] if ast.unparse(node.targets[0]) != node.value.id else []
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    if name.startswith("self.") and NORM.search(name):
        return [*found, "norm"]
    if name.startswith("self.") and SUBLAYER.search(name):
        return found if BESIDE.search(name) else [*found, "sublayer"]
    return found


def place_of_norms(layer: ast.AST) -> str:
    """Of its first sublayer: "input", "output", "both", "" if there is none, or
    "stream" if what is kept as the residual has been normalized.
    """
    order = events(layer)
    first = order.index("sublayer") if "sublayer" in order else len(order)
    end = order.index("add", first) if "add" in order[first:] else first
    before, after = "norm" in order[:first], "norm" in order[first:end]
    if first == len(order) or not (before or after):
        return ""
    if "keep" in order[order.index("norm") : first]:
        return "stream"
    return "both" if before and after else "input" if before else "output"
# --8<-- [end:events]


# --8<-- [start:survey]
@dataclass(frozen=True)
class Decoder:
    """What the code of one model has."""

    name: str
    norms: str
    parts: frozenset[str]


CLASS = re.compile(r"(?ms)^class (\w+).*?(?=^\S|\Z)")
OTHER = re.compile("Vision|Audio")
LAYER = re.compile(r"(?<!Encoder)(?<!Vision)(?<!Audio)(Layer|Block)$")
OLDER = re.compile(r"(?s)class \w*DecoderLayer\b(?:(?!\nclass ).)*nn\.LayerNorm\(")


def norms_of(code: str) -> str:
    """Where the layers of a model have their norms, as place_of_norms says."""
    layers = {m[1]: m[0] for m in CLASS.finditer(code) if LAYER.search(m[1])}
    names = sorted(layers, key=lambda name: not name.endswith("DecoderLayer"))
    for name in names:
        for node in ast.parse(layers[name]).body[0].body:
            forward = isinstance(node, ast.FunctionDef) and node.name == "forward"
            if forward and (place := place_of_norms(node)):
                return place
    return ""


def rotates(code: str) -> bool:
    """Whether a class applies RoPE to text; what decorates it does not count."""
    of_text = (m for m in CLASS.finditer(code) if not OTHER.search(m[1]))
    return any(re.search(r"apply_rot\w*\(", m[0]) for m in of_text)


def decoder(name: str, code: str, settings: str) -> Decoder:
    """Read one model: its modeling file and its configuration file."""
    both = code + settings
    has = (part for part, sign in PARTS.items() if re.search(sign, both))
    return Decoder(name, norms_of(code), frozenset(has))


def survey(models: Path | None = None) -> list[Decoder]:
    """Of each folder of transformers.models with a language model that has both
    RMSNorm and rotary embeddings, the first such file; not if RMSNorm is elsewhere
    only, and its decoder layer has LayerNorm.
    """
    models = models or Path(find_spec("transformers").origin).parent / "models"
    found = {}
    for file in sorted(models.glob("*/modeling_*.py")):
        code, name = file.read_text(encoding="utf-8"), file.parent.name
        words = ("ForCausalLM(", "RMSNorm(")
        others = name in found or OLDER.search(code) or not rotates(code)
        if not others and all(word in code for word in words):
            files = sorted(file.parent.glob("configuration_*.py"))
            settings = "".join(f.read_text(encoding="utf-8") for f in files)
            found[name] = decoder(name, code, settings)
    return list(found.values())
# --8<-- [end:survey]


# --8<-- [start:READ]
READ = {  # by hand, in version 5.23: who has it wrongly, and who lacks it wrongly
    "win": ("olmoe", ""),  # its configuration has no such setting
    "QK": ("blt mllama", "deepseek_v4"),  # in cross-attention only; another name
    "gate": ("minimax", ""),  # in its linear attention only
    "NoPE": ("granitemoehybrid olmo_hybrid", ""),  # all layers or none
    "HC": ("", "gemma3n"),  # four streams under another name
}
# --8<-- [end:READ]
