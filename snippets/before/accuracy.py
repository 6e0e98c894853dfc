"""How many of the generated sentences are right, and how many of their tokens."""

# --8<-- [start:exact_match]
def exact_match(generated: list[list[str]], right: list[list[str]]) -> float:
    """The share of sentences that are right in every token."""
    return sum(a == b for a, b in zip(generated, right, strict=True)) / len(right)
# --8<-- [end:exact_match]


# --8<-- [start:token_accuracy]
def token_accuracy(generated: list[list[str]], right: list[list[str]]) -> float:
    """The share of tokens that are right, position by position.

    What is generated beyond the end does not count.
    """
    found = sum(
        a == b
        for one, two in zip(generated, right, strict=True)
        for a, b in zip(one, two, strict=False)  # may end too early or too late
    )
    return found / sum(map(len, right))
# --8<-- [end:token_accuracy]
