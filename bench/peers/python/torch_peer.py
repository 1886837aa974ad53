"""PyTorch on the CPU, eager. Argument: threads."""

import sys

import numpy as np
import torch
from serve import serve

torch.set_num_threads(int(sys.argv[1]))
torch.set_grad_enabled(False)

DTYPES = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
    "int8": torch.int8,
    "int64": torch.int64,
    "bool": torch.bool,
}


def to_torch(array, dtype):
    if dtype == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def read(tensor):
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy()
    return tensor.numpy()


def compute_of(op, operands):
    if op in ("add", "mul", "greater"):
        a, b = operands
        f = {"add": torch.add, "mul": torch.mul, "greater": torch.gt}[op]
        return lambda out: f(a, b, out=out)
    if op == "where":
        c, x, y = operands
        return lambda out: torch.where(c, x, y, out=out) if out is not None else torch.where(c, x, y)
    if op == "normalise":
        x, m, s, g, b = operands

        def normalise(out):
            out = torch.sub(x, m, out=out)
            return out.div_(s).mul_(g).add_(b)

        return normalise
    if op == "max":
        first, second, *rest = operands

        def largest(out):
            out = torch.maximum(first, second, out=out)
            for operand in rest:
                torch.maximum(out, operand, out=out)
            return out

        return largest
    if op == "addTransposed":
        x, y = operands
        return lambda out: torch.add(x, y.T, out=out)
    if op == "addStrided":
        # There are no negative steps; flip copies.
        x, y = operands
        return lambda out: torch.add(x, torch.flip(y[:, ::2], [0]), out=out)
    a, b, c = operands
    return lambda out: torch.addmm(c, a, b, out=out)


def build(task, operands):
    tensors = [to_torch(array, operand["dtype"]) for array, operand in zip(operands, task["operands"])]
    compute = compute_of(task["op"], tensors)
    place = torch.empty(task["result"]["shape"], dtype=DTYPES[task["result"]["dtype"]])
    return {"fresh": lambda: compute(None), "out": lambda: compute(place), "read": read}


serve(build)
