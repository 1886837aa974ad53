"""PyTorch on the CPU."""

from functools import reduce

import numpy as np
import torch
from judge import Unsupported, array, serve, shape, tensor

BINARY = {
    "Add": torch.add,
    "Sub": torch.sub,
    "Mul": torch.mul,
    "FloorDiv": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "FloorMod": torch.remainder,
    "Pow": torch.pow,
    "SquaredDifference": lambda x, y: torch.square(torch.sub(x, y)),
    "And": torch.logical_and,
    "Or": torch.logical_or,
    "Xor": torch.logical_xor,
    "Equal": torch.eq,
    "NotEqual": torch.ne,
    "Greater": torch.gt,
    "Less": torch.lt,
    "GreaterOrEqual": torch.ge,
    "LessOrEqual": torch.le,
    "BitwiseLeftShift": torch.bitwise_left_shift,
    "BitwiseRightShift": torch.bitwise_right_shift,
    "BitwiseAnd": torch.bitwise_and,
    "BitwiseOr": torch.bitwise_or,
    "BitwiseXor": torch.bitwise_xor,
}

UNARY = {
    "Not": torch.logical_not,
    "BitwiseNot": torch.bitwise_not,
    "Neg": torch.neg,
    "Abs": torch.abs,
    "Sign": torch.sign,
    "Sqrt": torch.sqrt,
    "Exp": torch.exp,
    "Log": torch.log,
    "Tanh": torch.tanh,
    "Sigmoid": torch.sigmoid,
    "Relu": torch.relu,
    "Floor": torch.floor,
    "Ceil": torch.ceil,
    "Round": torch.round,
    "Reciprocal": torch.reciprocal,
    "Identity": torch.clone,
}


def operand(given):
    if given["dtype"] == "string":
        raise Unsupported("no strings")
    value = array(given)
    if given["dtype"] == "bfloat16":
        return torch.from_numpy(value.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(value)


def gemm(case, inputs):
    attrs = case["attrs"]
    x = inputs[0].T if attrs.get("transA") else inputs[0]
    y = inputs[1].T if attrs.get("transB") else inputs[1]
    alpha, beta = attrs.get("alpha", 1), attrs.get("beta", 1)
    if len(inputs) == 2:
        return alpha * torch.mm(x, y)
    return torch.addmm(inputs[2], x, y, alpha=alpha, beta=beta)


def compute(case):
    op, attrs = case["op"], case["attrs"]
    inputs = [operand(given) for given in case["inputs"]]
    if op == "BroadcastTo":
        return torch.broadcast_to(inputs[0], case["target"])
    if op == "Expand":
        return torch.broadcast_tensors(inputs[0], torch.empty(case["target"]))[0]
    if op == "Where":
        return torch.where(*inputs)
    if op == "Cast":
        return inputs[0].to(getattr(torch, attrs["to"]))
    if op == "Div":
        integer = not inputs[0].dtype.is_floating_point and not attrs.get("plain")
        return torch.div(*inputs, rounding_mode="trunc" if integer else None)
    if op == "Mod":
        return (torch.fmod if attrs.get("fmod") else torch.remainder)(*inputs)
    if op == "BitShift":
        return (torch.bitwise_left_shift if attrs["direction"] == "LEFT" else torch.bitwise_right_shift)(*inputs)
    if op in ("Max", "Min"):
        return reduce(torch.maximum if op == "Max" else torch.minimum, inputs)
    if op in ("Sum", "Mean"):
        total = reduce(torch.add, inputs)
        return total if op == "Sum" else total / len(inputs)
    if op == "PRelu":
        if case["rule"]["name"] != "openvinoPrelu" or inputs[1].ndim != 1 or inputs[0].ndim < 2:
            raise Unsupported("a slope per channel only")
        return torch.nn.functional.prelu(*inputs)
    if op == "Gemm":
        return gemm(case, inputs)
    if op in BINARY:
        return BINARY[op](*inputs)
    if op in UNARY:
        return UNARY[op](*inputs)
    raise Unsupported(op)


def answer(case):
    if case["kind"] == "shapes":
        if case["op"] == "MatMul":
            x, y = (torch.empty(sizes) for sizes in case["shapes"])
            product = list(torch.matmul(x, y).shape)
            own = (x.ndim > 1) + (y.ndim > 1)
            return shape(product[: len(product) - own])
        return shape(torch.broadcast_shapes(*case["shapes"]))
    result = compute(case).contiguous()
    if result.dtype == torch.bfloat16:
        return tensor(result.view(torch.int16).numpy().view(np.uint16), "bfloat16")
    return tensor(result.numpy())


torch.set_num_threads(1)
serve(torch.__version__.split("+")[0], answer, unsupported=("not implemented for", "not supported for", "not currently supported", "Promotion for"))
