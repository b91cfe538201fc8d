"""What the games share: random numbers, feature layouts, threads."""
