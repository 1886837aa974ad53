"""numexpr, with the expression prepared once. Argument: threads."""

import sys

import numexpr as ne
import numpy as np
from serve import Unsupported, dtype_of, serve

ne.set_num_threads(int(sys.argv[1]))

EXPRESSIONS = {
    "add": "a + b",
    "mul": "a * b",
    "greater": "a > b",
    "where": "where(a, b, c)",
    "normalise": "(a - b) / c * d + e",
    "addTransposed": "a + b",
    "addStrided": "a + b",
    # Each step has a name of one letter that the next one fills in.
    "max": "where(x > e, x, e)"
    .replace("x", "where(y > d, y, d)")
    .replace("y", "where(z > c, z, c)")
    .replace("z", "where(a > b, a, b)"),
}
# numexpr computes smaller types as these, which gives other results.
TYPES = ("float32", "float64", "int64", "bool")


def build(task, operands):
    if task["op"] not in EXPRESSIONS:
        raise Unsupported("has no matrix product, and no sums that stay float32")
    for operand in task["operands"]:
        if operand["dtype"] not in TYPES:
            raise Unsupported("has no " + operand["dtype"])
    if task["op"] == "addTransposed":
        operands[1] = operands[1].T
    if task["op"] == "addStrided":
        operands[1] = operands[1][::-1, ::2]
    names = dict(zip("abcde", operands))
    expression = EXPRESSIONS[task["op"]]
    place = np.empty(task["result"]["shape"], dtype_of(task["result"]["dtype"]))
    last = None

    def evaluate(mode, **out):
        # What was evaluated last can be evaluated again without being parsed.
        nonlocal last
        if last == mode:
            return ne.re_evaluate(local_dict=names)
        last = mode
        return ne.evaluate(expression, local_dict=names, casting="safe", **out)

    return {
        "fresh": lambda: evaluate("fresh"),
        "out": lambda: evaluate("out", out=place),
        "read": lambda result: result,
    }


serve(build)
