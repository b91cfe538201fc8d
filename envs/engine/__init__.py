"""What the games share: batch stepping, random numbers, the feature layout."""
