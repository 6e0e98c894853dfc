# --8<-- [start:text]
LINES = constitution("en")
# LINES = open("my_text.txt", encoding="utf-8").read().splitlines()
# --8<-- [end:text]
