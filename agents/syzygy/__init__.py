"""Scripted Syzygy bots."""
