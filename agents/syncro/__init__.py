"""Scripted Syncro bots."""
