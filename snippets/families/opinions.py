"""Sentences that praise or blame, generated: the words of the test are new."""

# --8<-- [start:imports]
from itertools import product
# --8<-- [end:imports]


# --8<-- [start:opinions]
PRAISE = """delicious wonderful excellent lovely brilliant superb delightful
amazing charming perfect great fantastic pleasant beautiful outstanding
marvellous enjoyable impressive splendid terrific""".split()
BLAME = """terrible awful disgusting boring horrible dreadful disappointing ugly
dull useless poor nasty lousy bad unpleasant annoying pathetic miserable
mediocre worthless""".split()
THINGS = """film soup hotel book concert room song lesson garden coffee trip
game painting restaurant play speech museum cake beach party""".split()
FRAMES = {  # and whether they turn the opinion round
    "the {} was {}": False,
    "i found the {} {}": False,
    "we thought the {} was {}": False,
    "everyone called the {} {}": False,
    "the {} was not {}": True,
    "nobody found the {} {}": True,
    "we never thought the {} was {}": True,
    "i would not call the {} {}": True,
}


def opinions(test: bool) -> list[tuple[str, int]]:
    """All sentences, each with 1 if it praises and 0 if it blames.

    Of adjectives and things, one half is for training, the other for the test.
    """
    half = slice(10, 20) if test else slice(10)
    good, bad = PRAISE[half], BLAME[half]
    return [
        (frame.format(thing, adjective), int((adjective in good) != turned))
        for (frame, turned), thing, adjective in product(
            FRAMES.items(), THINGS[half], good + bad
        )
    ]
# --8<-- [end:opinions]
