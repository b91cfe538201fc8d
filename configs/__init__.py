"""YAML data: tasks and training runs, read through ``importlib.resources``."""
