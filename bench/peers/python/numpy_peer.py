"""NumPy. Steps after the first write over their own result, as one writes it for speed."""

import numpy as np
from serve import EPSILON, dtype_of, keepdims_of, serve


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
    if op in ("sum", "sumTo"):
        (x,) = operands
        axes, keepdims = tuple(task["axes"]), keepdims_of(task)
        return lambda out: np.sum(x, axis=axes, keepdims=keepdims, out=out)
    if op == "softmax":
        (x,) = operands

        def softmax(out):
            out = np.subtract(x, x.max(axis=-1, keepdims=True), out=out)
            np.exp(out, out=out)
            return np.divide(out, out.sum(axis=-1, keepdims=True), out=out)

        return softmax
    if op == "layerNorm":
        x, g, b = operands

        def layer_norm(out):
            out = np.subtract(x, x.mean(axis=-1, keepdims=True), out=out)
            variance = np.square(out).mean(axis=-1, keepdims=True)
            np.divide(out, np.sqrt(variance + np.float32(EPSILON)), out=out)
            np.multiply(out, g, out=out)
            return np.add(out, b, out=out)

        return layer_norm
    a, b, c = operands

    def gemm(out):
        out = np.matmul(a, b, out=out)
        return np.add(out, c, out=out)

    return gemm


def normalise_grad(x, m, s):
    """NumPy has no gradients; this is how one writes them by hand."""
    z = np.subtract(x, m)
    np.divide(z, s, out=z)
    squares = np.square(z)
    value = squares.mean()
    dx = np.multiply(z, 2 / (s * np.float32(z.size)))
    ds = np.multiply(dx, z, out=squares).sum(axis=0)
    return [value, dx, -dx.sum(axis=0), -ds]


def logistic_step(x, y, w):
    z = x @ w
    loss = np.mean(np.logaddexp(np.float32(0), z) - y * z)
    p = 1 / (1 + np.exp(-z))
    return [loss, w - x.T @ (p - y) / np.float32(len(x))]


SEVERAL = {"normaliseGrad": normalise_grad, "logisticStep": logistic_step}


def build(task, operands):
    if task["op"] in SEVERAL:
        several = SEVERAL[task["op"]]
        return {"fresh": lambda: several(*operands), "read": lambda result: result}
    if task["op"] == "where":
        c, x, y = operands
        return {"fresh": lambda: np.where(c, x, y), "read": lambda result: result}
    compute = steps_of(task, operands)
    place = np.empty(task["result"]["shape"], dtype_of(task["result"]["dtype"]))
    return {"fresh": lambda: compute(None), "out": lambda: compute(place), "read": lambda result: result}


serve(build)
