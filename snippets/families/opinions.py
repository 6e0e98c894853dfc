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
TEMPLATES = {  # and whether they negate the opinion
    "the {} was {}": False,
    "i found the {} {}": False,
    "we thought the {} was {}": False,
    "everyone called the {} {}": False,
    "the {} was not {}": True,
    "nobody found the {} {}": True,
    "we never thought the {} was {}": True,
    "i would not call the {} {}": True,
}


WORDS = {  # no adjective and no thing is in two of these sets
    "training": slice(7),
    "validation": slice(7, 10),
    "test": slice(10, 20),
}


def opinions(words: str) -> list[tuple[str, int]]:
    """All sentences of one set of WORDS, with 1 for praise and 0 for blame."""
    good, bad = PRAISE[WORDS[words]], BLAME[WORDS[words]]
    return [
        (template.format(thing, adjective), int((adjective in good) != negated))
        for (template, negated), thing, adjective in product(
            TEMPLATES.items(), THINGS[WORDS[words]], good + bad
        )
    ]
# --8<-- [end:opinions]
