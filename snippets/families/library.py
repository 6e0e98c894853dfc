"""Weights of the transformers library, under the names that this book uses."""

# --8<-- [start:imports]
from collections.abc import Mapping

from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:load_renamed]
def renamed(name: str, names: Mapping[str, str]) -> str:
    """The library's name of a parameter: each part in turn, where it occurs."""
    for ours, theirs in names.items():
        name = name.replace(ours, theirs)
    return name


def load_renamed(
    model: nn.Module, state: Mapping[str, Tensor], names: Mapping[str, str]
) -> None:
    """Copy the library's weights into a model of the book.

    Raises KeyError if the library has no parameter of that name.
    """
    own = model.state_dict()
    model.load_state_dict({name: state[renamed(name, names)] for name in own})
# --8<-- [end:load_renamed]
