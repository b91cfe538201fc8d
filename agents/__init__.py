"""Bots and learned policies that play the games."""
