"""Bridges from the batch engine to other training frameworks."""
