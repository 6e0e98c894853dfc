# --8<-- [start:VARIANTS]
VARIANTS = {
    "the baseline": (Transformer, whole_schedule, NUM_HEADS),
    "without positions": (WithoutPositions, whole_schedule, NUM_HEADS),
    "without a mask": (WithoutMask, whole_schedule, NUM_HEADS),
    "without scaling": (WithoutScaling, whole_schedule, NUM_HEADS),
    "without warm-up": (Transformer, without_warm_up, NUM_HEADS),
    "one head": (Transformer, whole_schedule, 1),
    "one head, unscaled": (WithoutScaling, whole_schedule, 1),
}
EXAMINED = list(VARIANTS)[:3]  # their weights are kept
# --8<-- [end:VARIANTS]
