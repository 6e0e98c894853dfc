"""The learning rate over the steps: up in a line, down with the root."""

# --8<-- [start:learning_rate]
def learning_rate(step: int, d_model: int, warmup_steps: int = 4000) -> float:
    """d_model^-0.5 min(step^-0.5, step warmup_steps^-1.5), for step = 1, 2, ...

    Equation 3 of Vaswani et al. (2017). Raises ValueError for other steps.
    """
    if step < 1:
        raise ValueError(f"steps are counted from 1, not {step}")
    return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
# --8<-- [end:learning_rate]
