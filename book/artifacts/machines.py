"""Imitations of a reader's machine: ``IMITATE=reversed pytest`` says whether the book prints the same on it.

No two processors round alike, since none adds up in the same order. ``default`` and ``avx2`` take from this one what
older ones lack. Any other processor may be between two extremes: ``float64`` rounds each product of matrices and each
reduction once, at its end, and ``reversed`` adds up from the last to the first.
"""

from __future__ import annotations

import os

#: The variable that names a way, for this process and what it starts.
VARIABLE = "IMITATE"
#: What ATen, oneDNN and MKL may use of the processor: they ask before they compute for the first time.
CAPABILITIES = {
    "default": {"ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2"},
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
}
ROUNDINGS = ("float64", "reversed")
MACHINES = (*CAPABILITIES, *ROUNDINGS)


def imitate() -> None:
    """Compute as on the machine that the environment names, from now on and in this thread."""
    name = os.environ.get(VARIABLE)
    if name in CAPABILITIES:
        os.environ |= CAPABILITIES[name]
    elif name in ROUNDINGS:
        from book.artifacts.roundings import enter  # brings torch with it

        enter(name)
    elif name:
        raise SystemExit(f"{VARIABLE}={name}: there are {', '.join(MACHINES)}")
