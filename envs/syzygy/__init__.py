"""Syzygy: configuration, state, rules, observation and rendering."""
