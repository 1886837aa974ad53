"""JAX on the CPU: XLA's compiled and fused code. It cannot write into existing memory. Argument: threads."""

import os
import sys

# XLA makes as many threads as this process may run at once when it starts.
everywhere = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
if everywhere is not None:
    os.sched_setaffinity(0, sorted(everywhere)[: int(sys.argv[1])])

import jax  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from serve import serve  # noqa: E402

FUNCTIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "greater": lambda a, b: a > b,
    "where": jnp.where,
    "normalise": lambda x, m, s, g, b: (x - m) / s * g + b,
    "max": lambda a, b, c, d, e: jnp.maximum(jnp.maximum(jnp.maximum(jnp.maximum(a, b), c), d), e),
    "addTransposed": lambda x, y: x + y.T,
    "addStrided": lambda x, y: x + y[::-1, ::2],
    "gemm": lambda a, b, c: a @ b + c,
}


def build(task, operands):
    arrays = [jnp.asarray(array) for array in operands]
    function = FUNCTIONS[task["op"]]
    # A function of its own, so that an earlier compilation is not found again.
    run = jax.jit(lambda *given: function(*given))
    return {"fresh": lambda: run(*arrays).block_until_ready(), "read": np.asarray}


serve(build)
