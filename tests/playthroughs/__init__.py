"""Whole games as text: what the rules and the observations are today, for people and for the tests."""
