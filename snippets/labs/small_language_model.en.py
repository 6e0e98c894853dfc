# --8<-- [start:text]
TEXT = "\n".join(constitution("en"))
# TEXT = open("my_text.txt", encoding="utf-8").read()
# --8<-- [end:text]


# --8<-- [start:VARIANTS]
VARIANTS: dict[str, dict] = {
    "the baseline": SETTINGS,
    "a quarter of the steps": SETTINGS | {"steps": 300},
    "eight characters of context": SETTINGS | {"context": 8},
}
# --8<-- [end:VARIANTS]
