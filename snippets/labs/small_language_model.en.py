# --8<-- [start:text]
TEXT = "\n".join(constitution("en"))
# TEXT = open("my_text.txt", encoding="utf-8").read()
# --8<-- [end:text]
