"""Repairs: modules of the book with one mistake in each, to be found from what it causes. ``pytest exercises/repair``.

They are checked like the exercises whose solutions they are, but a hint that names the mistake is kept for ``--hint``.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

from exercises.blanks import completed, write
from exercises.checking import EXERCISES, HERE, Exercise, read_parts
from exercises.language import say

#: The folder in which the broken modules are written.
FOLDER = "repair"
HEADER = """\
# A repair: one thing in this module of the book is wrong. Somebody has noticed:
{symptom}
# Find it, mend it, and ask whether it is right:
#   pytest exercises/{name}.py
# The page {page} explains it.
# To begin anew, delete this file.
"""


@dataclass
class Repair(Exercise):
    """The solution of an exercise in which ``wrong`` stands in the place of ``right``, which is there once."""

    right: str = ""
    wrong: str = ""
    symptom: str = ""

    def broken(self) -> str:
        """The module as its learner finds it. Raises ValueError if there is not one place to break."""
        text = completed(EXERCISES[self.module], self.header())
        if text.count(self.right) != 1:
            raise ValueError(f"snippets/{self.module}.py: {self.right!r} × {text.count(self.right)}")
        return text.replace(self.right, self.wrong)

    def header(self) -> str:
        lines = textwrap.wrap(say(self.symptom), 80, initial_indent="#   ", subsequent_indent="#   ")
        return say(HEADER, name=self.name, page=self.page, symptom="\n".join(lines))


def begin(exercise: Exercise, folder: Path = HERE) -> str:
    """Write the file of an exercise or a repair, unless there is one already: what to say of it, or nothing."""
    if isinstance(exercise, Repair):
        path, told = write(exercise, folder, exercise.broken()), "wrote {path}: yours to mend"
    else:
        path, told = write(exercise, folder), "wrote {path}: yours to complete"
    return say(told, path=f"exercises/{exercise.name}.py") if path else ""


#: All repairs by name, once read_repairs has made them.
REPAIRS: dict[str, Repair] = {}


def repair(module: str, right: str, wrong: str, symptom: str, number: int = 1) -> None:
    """Add a repair of a module that is an exercise; its stages are those of the exercise, but of one file alone.

    ``number``: of the repairs of one module, of which each has a file of its own.
    """
    exercise = EXERCISES[module]
    name = f"{FOLDER}/{module.partition('/')[2]}" + (f"_{number}" if number > 1 else "")
    stages = [stage for stage in exercise.stages if not stage.whole]
    about = exercise.page, exercise.difficulty, exercise.minutes
    REPAIRS[name] = Repair(name, *about, stages=stages, module=module, right=right, wrong=wrong, symptom=symptom)


def read_repairs() -> dict[str, Repair]:
    """Every repair, in the order of the book."""
    if REPAIRS:
        return REPAIRS
    read_parts()
    repair(
        "before/lstm",
        "i * torch.tanh(g)",
        "i * torch.sigmoid(g)",
        "However long the sequence, no element of the cell's state is ever negative. In PyTorch's LSTM, with the "
        "same weights, some are.",
    )
    repair(
        "attention/scaled_dot_product",
        "torch.softmax(scores, dim=-1)",
        "torch.softmax(scores, dim=-2)",
        "All shapes are right and nothing raises. But the weights of a query do not sum to 1; those that a key "
        "receives do.",
    )
    repair(
        "attention/masks",
        "<= position.unsqueeze(1)",
        "< position.unsqueeze(1)",
        "On the diagonal of the decoder's attention map, all weights are 0, and the first position attends to nothing.",
    )
    repair(
        "attention/multi_head",
        "x.transpose(1, 2).flatten(start_dim=2)",
        "x.reshape(x.size(0), x.size(2), -1)",
        "All shapes are right, and the mask is causal. Still, changing the second token changes the output at the "
        "first position.",
    )
    repair(
        "positions/sinusoidal",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)",
        "torch.cat([angles.sin(), angles.cos()], dim=-1)",
        "With the same weights, the model gives other outputs than before. Sorted by size, the components of "
        "each encoding are what they were.",
    )
    repair(
        "positions/relative",
        "first * sin + second * cos",
        "first * sin - second * cos",
        "The score of the same query and the same key, the same distance apart, depends on where in the text "
        "they stand.",
    )
    repair(
        "block/dropout",
        "keep * x / (1 - self.p)",
        "keep * x",
        "After model.eval(), activations are larger on average than during training, and the more so the larger p is.",
    )
    repair(
        "block/layer_norm",
        "centered.square().mean(dim=-1, keepdim=True)",
        "centered.square().sum(dim=-1, keepdim=True) / (x.size(-1) - 1)",
        "Published weights load, and the outputs are nearly those of the library: with d_model = 512 a "
        "thousandth apart, with d_model = 8 some six percent.",
    )
    repair(
        "block/residual",
        "x + added if self.norm_first",
        "self.norm(x) + added if self.norm_first",
        "Post-LN works as it did. With pre-LN, what flows from layer to layer should grow with each of them, and "
        "does not.",
    )
    repair(
        "model/decoder_layer",
        "lambda y: self.cross_attention(y, memory, memory, memory_mask)[0]",
        "lambda y: self.self_attention(y, memory, memory, memory_mask)[0]",
        "Trained weights load without an error, and the translation is wrong. Trained anew, the weights of "
        "cross-attention are still as they were initialised.",
    )
    repair(
        "training/loss",
        ".sum() / counts.sum()",
        ".sum() / counts.numel()",
        "The same sentences have a smaller loss the longer the longest sentence of their batch is.",
    )
    repair(
        "training/adam",
        "v_hat = v / (1 - beta_2**self.steps)",
        "v_hat = v",
        "With β₂ = 0.98, the first step is seven times as long as it should be. After some hundred steps, "
        "nothing is amiss.",
    )
    repair(
        "training/cache",
        "self.layers[i], self.of_tokens[i], self.of_memory[i]",
        "self.layers[i], self.of_tokens[0], self.of_memory[i]",
        "With a decoder of one layer, the cache changes nothing in what is generated. With two layers, it does.",
    )
    repair(
        "training/cache",
        """\
        heads = self.attention.num_heads
        keys = split_heads(self.attention.w_k(x), heads)
        values = split_heads(self.attention.w_v(x), heads)
        if self.keys is not None:  # there are tokens before
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        self.keys, self.values = keys, values
""",
        """\
        heads = self.attention.num_heads
        if self.keys is not None:  # there are tokens before
            x = torch.cat([self.inputs, x], dim=1)
        self.inputs = x
        self.keys = split_heads(self.attention.w_k(x), heads)
        self.values = split_heads(self.attention.w_v(x), heads)
""",
        "Every translation is right. But each token takes more multiplications than the one before, and the more so "
        "the larger the model is: twice the d_model, nearly four times the increase.",
        number=2,
    )
    repair(
        "training/decoding",
        "return model.decode(tgt, memory, src)[:, -1]",
        "return model.decode(tgt, model.encode(src), src)[:, -1]",
        "Every translation is right. But the profiler shows that the encoder runs once for each token that is "
        "generated.",
        number=2,
    )
    repair(
        "training/decoding",
        "module.training = training",
        "module.training = True",
        "The first translation of a finished model is good. After it, the model's dropout is on, and the same "
        "sentence is translated differently each time.",
    )
    repair(
        "families/sampling",
        "cut = tail <= 1 - p",
        "cut = tail <= p",
        "With top-p = 0.9, what is generated is nearly that of greedy decoding. With top-p = 0.1, it is as "
        "varied as it should be with 0.9.",
    )
    repair(
        "families/flash_attention",
        "for j in range(0, end, block):",
        "for j in range(0, end, block := max(end, 1)):",
        "Every output is right. But with twice as many keys it needs twice as much memory besides them, however small "
        "the blocks.",
    )
    repair(
        "families/gpt",
        "ids[:, 1:], ignore_index=pad_id",
        "ids[:, :-1], ignore_index=pad_id",
        "The loss soon falls to nearly 0. What the model generates is one token, again and again.",
    )
    repair(
        "families/todays_block",
        "shared.repeat_interleave(group, dim=1)",
        "shared.repeat(1, group, 1, 1)",
        "The weights of a published model load without an error, and it generates nonsense. Those of a model "
        "with as many KV heads as heads work.",
    )
    return REPAIRS


def read_everything() -> dict[str, Exercise]:
    """Every exercise, and then every repair."""
    return {**read_parts(), **read_repairs()}
