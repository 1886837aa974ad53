"""PyTorch's automatic differentiation on the CPU: the value of an expression and the gradients of its operands; beside
each what float64 gives, and how far that moves when every value that is read is a little off."""

import torch
import torch_documented
from judge import Unsupported, serve
from torch_noise import DISTURBED, OFF, Exact, Lossy, Noise
from torch_operators import answered, compute, operand

COMPARISONS = {
    "Less": torch.lt,
    "LessOrEqual": torch.le,
    "Greater": torch.gt,
    "GreaterOrEqual": torch.ge,
    "Equal": torch.eq,
    "NotEqual": torch.ne,
}

TYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64}

TRIALS = 4


def product(dims, keepdim):
    def compute(x):
        # Its own takes one axis.
        for dim in sorted(dims, reverse=True):
            x = torch.prod(x, dim, keepdim)
        return x

    return compute


def reduced(step, x, known):
    op, keepdim = step["op"], step["keepdims"]
    axes = step.get("axes")
    dims = list(range(x.dim())) if axes is None else [axis % x.dim() for axis in axes]
    if dims == []:
        # Its own take no axes for all of them.
        return reduced({**step, "axes": [x.dim()], "keepdims": False}, x.unsqueeze(-1), known)
    if op in ("sum", "mean"):
        total = (torch.sum if op == "sum" else torch.mean)(x, dims, keepdim)
        return torch_documented.sum_of_zeros(x, total, dims, keepdim) if op in known else total
    if op == "prod":
        return (torch_documented.product_over if op in known else product)(dims, keepdim)(x)
    if op == "sumSquare":
        return torch.sum(torch.square(x), dims, keepdim)
    if op == "norm" and op in known:
        return torch_documented.length_over(step["ord"], dims, keepdim)(x)
    if op == "norm":
        return torch.linalg.vector_norm(x, step["ord"], dims, keepdim)
    if any(x.size(dim) == 0 for dim in dims):
        raise Unsupported(f"{op} of nothing")
    if op == "logSumExp":
        return torch.logsumexp(x, dims, keepdim)
    if op in known:
        return torch_documented.extreme_over(op, dims, keepdim)(x)
    return (torch.amax if op == "max" else torch.amin)(x, dims, keepdim)


def applied(op, attrs, args, known, noise):
    name = "GeluTanh" if attrs.get("approximate") == "tanh" else op
    if isinstance(noise, Noise) and name in DISTURBED:
        return Lossy.apply(noise, *DISTURBED[name], *args)
    if op in known and op in torch_documented.EXTREMES and len(args) > 1:
        return torch_documented.extreme(op, args)
    if op in known and op in torch_documented.ATTRIBUTED:
        return torch_documented.ATTRIBUTED[op](**attrs)(*args)
    if op in known and name in torch_documented.OPERATORS:
        return torch_documented.OPERATORS[name](*args)
    return compute(op, attrs, args)


def result_of(case, inputs, exact, noise):
    """The result of the steps, where `exact` in float64 throughout."""
    known = case["documented"]
    values = list(inputs)
    for step in case["steps"]:
        numbers = [arg for arg in step["args"] if isinstance(arg, int)]
        dtype = next((values[arg].dtype for arg in numbers if values[arg].dtype != torch.bool), None)
        args = [
            noise.read(values[arg]) if isinstance(arg, int) else torch.tensor(arg["number"], dtype=dtype)
            for arg in step["args"]
        ]
        kind = step["kind"]
        if kind == "apply":
            result = applied(step["op"], step["attrs"], args, known, noise)
        elif kind == "compare":
            result = COMPARISONS[step["op"]](*args)
        elif kind == "reduce":
            result = reduced(step, args[0], known)
        elif kind == "matmul":
            result = torch.matmul(*args)
        else:
            result = args[0] if exact else args[0].to(TYPES[step["to"]])
        values.append(result)
    return noise.read(values[-1])


def outcome(case, exact=False, noise=Exact()):
    """The value, and the gradient of each operand."""
    inputs = [operand(given) for given in case["inputs"]]
    delta = operand(case["delta"])
    if exact:
        inputs, delta = [each.double() for each in inputs], delta.double()
    for each in inputs:
        each.requires_grad_()
    result = result_of(case, inputs, exact, noise)
    if not result.requires_grad:
        return [result, *(torch.zeros_like(each) for each in inputs)]
    gradients = torch.autograd.grad(result, inputs, delta, allow_unused=True)
    return [result, *(torch.zeros_like(x) if own is None else own for own, x in zip(gradients, inputs))]


def spread_of(case, exact):
    """How far the parts move, by the unit of what is off; infinitely where they are no numbers any more."""
    types = [each["dtype"] for each in case["inputs"]] + [step["to"] for step in case["steps"] if "to" in step]
    size = max(OFF[dtype] for dtype in types)
    spreads = [torch.zeros_like(each) for each in exact]
    for trial in range(2 * TRIALS):
        # Where values tie, they no longer do when they are off; gradients alone are off among ties.
        for i, each in enumerate(outcome(case, True, Noise(size, trial < TRIALS))):
            moved = torch.where(each.isfinite(), (each - exact[i]).abs() / size, torch.inf)
            spreads[i] = torch.maximum(spreads[i], torch.where(exact[i].isfinite(), moved, 0))
    return spreads


def answer(case):
    torch.manual_seed(0)
    given = outcome(case)
    exact = outcome(case, exact=True)
    spreads = spread_of(case, exact)
    parts = zip(given, exact, spreads)
    return {
        "kind": "parts",
        "parts": [
            {"given": answered(a)["tensor"], "exact": answered(b)["tensor"], "spread": answered(c)["tensor"]}
            for a, b, c in parts
        ],
    }


torch.set_num_threads(1)
serve(torch.__version__.split("+")[0], answer, unsupported=("not implemented for", "not supported for"))
