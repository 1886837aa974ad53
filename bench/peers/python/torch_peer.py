"""PyTorch on the CPU, eager. Argument: threads."""

import sys

import numpy as np
import torch
from serve import EPSILON, keepdims_of, serve

torch.set_num_threads(int(sys.argv[1]))

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


def normalise_grad(x, m, s):
    value = ((x - m) / s).square().mean()
    return [value, *torch.autograd.grad(value, (x, m, s))]


def logistic_step(x, y, w):
    value = torch.nn.functional.binary_cross_entropy_with_logits(x @ w, y)
    (gradient,) = torch.autograd.grad(value, w)
    with torch.no_grad():
        return [value, w - gradient]


# What has gradients, and by which operands.
SEVERAL = {"normaliseGrad": (normalise_grad, (0, 1, 2)), "logisticStep": (logistic_step, (2,))}


def compute_of(task, operands):
    op = task["op"]
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
    if op in ("sum", "sumTo"):
        (x,) = operands
        axes, keepdim = task["axes"], keepdims_of(task)
        return lambda out: torch.sum(x, dim=axes, keepdim=keepdim, out=out)
    if op == "softmax":
        (x,) = operands
        return lambda out: torch.softmax(x, -1, out=out)
    if op == "layerNorm":
        x, g, b = operands
        return lambda _: torch.nn.functional.layer_norm(x, x.shape[-1:], g, b, EPSILON)
    a, b, c = operands
    return lambda out: torch.addmm(c, a, b, out=out)


def build(task, operands):
    tensors = [to_torch(array, operand["dtype"]) for array, operand in zip(operands, task["operands"])]
    torch.set_grad_enabled(task["op"] in SEVERAL)
    if task["op"] in SEVERAL:
        several, by = SEVERAL[task["op"]]
        for i in by:
            tensors[i].requires_grad_()
        return {"fresh": lambda: several(*tensors), "read": lambda result: result.detach().numpy()}
    compute = compute_of(task, tensors)
    if task["op"] == "layerNorm":
        return {"fresh": lambda: compute(None), "read": read}
    place = torch.empty(task["result"]["shape"], dtype=DTYPES[task["result"]["dtype"]])
    return {"fresh": lambda: compute(None), "out": lambda: compute(place), "read": read}


serve(build)
