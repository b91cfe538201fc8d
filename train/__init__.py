"""Training, evaluation and the command line."""

import os

# Torch's threads (OpenMP) by default spin while they wait for each other. When another process holds one of
# the cores, this makes two threads seven times slower than one. Sleeping costs little, but can only be chosen
# before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
