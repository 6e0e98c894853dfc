"""How many operations have to wait for one another, whatever the machine."""

# --8<-- [start:imports]
from collections.abc import Iterable

from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:longest_chain]
PRODUCTS = {"Addmm", "Mm", "Mv", "Bmm", "Convolution"}  # as autograd names them


def longest_chain(output: Tensor, kinds: Iterable[str] = PRODUCTS) -> int:
    """How many operations of these kinds have to be done one after the other.

    That is the longest path through the graph that autograd has recorded.
    """
    kinds = {f"{kind}Backward0" for kind in kinds}
    longest: dict[object, int] = {}
    todo: list = [output.grad_fn]
    while todo:
        operation = todo[-1]
        before = [function for function, _ in operation.next_functions if function]
        if waiting := [other for other in before if other not in longest]:
            todo += waiting
            continue
        known = max((longest[other] for other in before), default=0)
        longest[operation] = known + (operation.name() in kinds)
        todo.pop()
    return longest[output.grad_fn]
# --8<-- [end:longest_chain]
