"""Functions that a GPU's code holds once.

The compiler for GPUs copies nearly every function into those that call it. Of rules with many rare cases that
makes code which is compiled for minutes and does not fit into the memory that a GPU runs it from.
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload


def keep_apart() -> None:
    """On a GPU, have the function that begins with this called, and never copied into its callers.

    Elsewhere nothing happens.
    """


@intrinsic
def _keep_apart(typing_context: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if "nvptx" in builder.module.triple:
            builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


@overload(keep_apart, inline="always")
def _compile_keep_apart():  # type: ignore[no-untyped-def]
    return lambda: _keep_apart()  # type: ignore[call-arg]
