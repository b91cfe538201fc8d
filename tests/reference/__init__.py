"""The rules of each game once more, in plain Python, to hold the engine against."""
