"""Syncro: destroy a horde of monsters together, in silence.

``limits.py`` sizes and the names of the levels, ``horde.py`` how the cards of a level lie, ``cards.py`` what
cards there are, ``card_file.py`` reading them from YAML.
"""
