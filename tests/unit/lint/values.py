"""Random values for the parsers."""

from __future__ import annotations

import random
from typing import Any

SCALARS = (1, -2.5, 1e30, 'a\\"\n', "é€😀", None, True, False, "", "}", "a: b")


def random_value(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.random()
    if depth > 4 or kind < 0.3:
        return dice.choice(SCALARS)
    if kind < 0.6:
        return [random_value(dice, depth + 1) for _ in range(dice.randint(0, 3))]
    return {f"k{number}": random_value(dice, depth + 1) for number in range(dice.randint(0, 3))}
