"""Tests, each written as a statement about the games or the tools around them."""
