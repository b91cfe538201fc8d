"""Training, evaluation and the command line."""

import os
import sys

# Torch's threads (OpenMP) by default spin while they wait for each other. When another process holds one of
# the cores, two threads are then slower than one, many times over. Sleeping costs little, but has to be
# chosen before torch is loaded.
if "torch" not in sys.modules:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
