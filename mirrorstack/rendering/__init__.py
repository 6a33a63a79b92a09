"""A stack in the words of others: mm2.properties of dedicated mode, from the same model.

`clusters` (how each is reached), `flows` (what goes behind `east->west.`), `dedicated` (the file).
"""
