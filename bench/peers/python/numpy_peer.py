"""NumPy. Steps after the first write over their own result, as one writes it for speed."""

import numpy as np
from serve import dtype_of, serve


def steps_of(task, operands):
    """Functions of (out), the first of which may make it: the whole computation."""
    op = task["op"]
    if op in ("add", "mul", "greater"):
        a, b = operands
        f = {"add": np.add, "mul": np.multiply, "greater": np.greater}[op]
        return lambda out: f(a, b, out=out)
    if op == "normalise":
        x, m, s, g, b = operands

        def normalise(out):
            out = np.subtract(x, m, out=out)
            np.divide(out, s, out=out)
            np.multiply(out, g, out=out)
            return np.add(out, b, out=out)

        return normalise
    if op == "max":
        first, second, *rest = operands

        def largest(out):
            out = np.maximum(first, second, out=out)
            for operand in rest:
                np.maximum(out, operand, out=out)
            return out

        return largest
    if op == "addTransposed":
        x, y = operands
        return lambda out: np.add(x, y.T, out=out)
    if op == "addStrided":
        x, y = operands
        return lambda out: np.add(x, y[::-1, ::2], out=out)
    a, b, c = operands

    def gemm(out):
        out = np.matmul(a, b, out=out)
        return np.add(out, c, out=out)

    return gemm


def build(task, operands):
    if task["op"] == "where":
        c, x, y = operands
        return {"fresh": lambda: np.where(c, x, y), "read": lambda result: result}
    compute = steps_of(task, operands)
    place = np.empty(task["result"]["shape"], dtype_of(task["result"]["dtype"]))
    return {"fresh": lambda: compute(None), "out": lambda: compute(place), "read": lambda result: result}


serve(build)
