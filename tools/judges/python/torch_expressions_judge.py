"""PyTorch's automatic differentiation on the CPU: the value of an expression and the gradients of its operands; beside
each what float64 gives, and how far that moves when every value that is read is a little off."""

import torch
import torch_documented
from judge import Unsupported, serve
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

EPSILON = 2.0**-26
TRIALS = 4


def noise(value):
    return value * (1 + EPSILON * (2 * torch.rand_like(value) - 1))


class Disturbed(torch.autograd.Function):
    """Each element a little off, and each gradient by something else."""

    @staticmethod
    def forward(ctx, value):
        return noise(value)

    @staticmethod
    def backward(ctx, delta):
        return noise(delta)


def disturbed(value):
    return value if value.dtype == torch.bool else Disturbed.apply(value)


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
    if op == "sum":
        return torch.sum(x, dims, keepdim)
    if op == "mean":
        return torch.mean(x, dims, keepdim)
    if op == "prod":
        return (torch_documented.product_over(dims, keepdim) if known else product(dims, keepdim))(x)
    if op == "sumSquare":
        return torch.sum(torch.square(x), dims, keepdim)
    if op == "norm" and known:
        return torch_documented.length_over(step["ord"], dims, keepdim)(x)
    if op == "norm":
        return torch.linalg.vector_norm(x, step["ord"], dims, keepdim)
    if any(x.size(dim) == 0 for dim in dims):
        raise Unsupported(f"{op} of nothing")
    if op == "logSumExp":
        return torch.logsumexp(x, dims, keepdim)
    if known:
        return torch_documented.extreme_over(op, dims, keepdim)(x)
    return (torch.amax if op == "max" else torch.amin)(x, dims, keepdim)


class Lossy(torch.autograd.Function):
    """A function that loses digits inside, and its slope, which loses others."""

    @staticmethod
    def forward(ctx, compute, slope, x):
        ctx.slope = slope
        ctx.save_for_backward(x)
        return compute(x)

    @staticmethod
    def backward(ctx, delta):
        return None, None, delta * ctx.slope(*ctx.saved_tensors)


def tanh_slope(x):
    t = noise(torch.tanh(x))
    return 1 - t * t


def sigmoid_slope(x):
    s = noise(torch.sigmoid(x))
    return s * (1 - s)


def share(x):
    return 0.5 * (1 + noise(torch.erf(x * 0.5**0.5)))


def inner(x):
    return (2 / torch.pi) ** 0.5 * (x + 0.044715 * x * x * x)


def share_tanh(x):
    return 0.5 * (1 + noise(torch.tanh(inner(x))))


def share_tanh_slope(x):
    return 0.5 * tanh_slope(inner(x)) * (2 / torch.pi) ** 0.5 * (1 + 3 * 0.044715 * x * x)


# With what they lose digits to a little off.
DISTURBED = {
    "Tanh": (lambda x: noise(torch.tanh(x)), tanh_slope),
    "Sigmoid": (lambda x: noise(torch.sigmoid(x)), sigmoid_slope),
    "Gelu": (
        lambda x: x * share(x),
        lambda x: share(x) + x * torch.exp(-0.5 * x * x) * (0.5 / torch.pi) ** 0.5,
    ),
    "GeluTanh": (lambda x: x * share_tanh(x), lambda x: share_tanh(x) + x * share_tanh_slope(x)),
}


def applied(op, attrs, args, known, read):
    name = "GeluTanh" if attrs.get("approximate") == "tanh" else op
    if read is disturbed and name in DISTURBED:
        return Lossy.apply(*DISTURBED[name], *args)
    if known and op in torch_documented.EXTREMES and len(args) > 1:
        return torch_documented.extreme(op, args)
    if known and op in torch_documented.ATTRIBUTED:
        return torch_documented.ATTRIBUTED[op](**attrs)(*args)
    if known and name in torch_documented.OPERATORS:
        return torch_documented.OPERATORS[name](*args)
    return compute(op, attrs, args)


def result_of(case, inputs, known, exact, read):
    """The result of the steps; `exact` computes in float64 throughout, `read` is what becomes of a value on its way."""
    values = list(inputs)
    for step in case["steps"]:
        numbers = [arg for arg in step["args"] if isinstance(arg, int)]
        dtype = next((values[arg].dtype for arg in numbers if values[arg].dtype != torch.bool), None)
        args = [
            read(values[arg]) if isinstance(arg, int) else torch.tensor(arg["number"], dtype=dtype)
            for arg in step["args"]
        ]
        kind = step["kind"]
        if kind == "apply":
            result = applied(step["op"], step["attrs"], args, known, read)
        elif kind == "compare":
            result = COMPARISONS[step["op"]](*args)
        elif kind == "reduce":
            result = reduced(step, args[0], known)
        elif kind == "matmul":
            result = torch.matmul(*args)
        else:
            result = args[0] if exact else args[0].to(TYPES[step["to"]])
        values.append(result)
    return values[-1]


def outcome(case, exact=False, read=lambda value: value):
    """The value, and the gradient of each operand."""
    inputs = [operand(given) for given in case["inputs"]]
    delta = operand(case["delta"])
    if exact:
        inputs, delta = [each.double() for each in inputs], delta.double()
    for each in inputs:
        each.requires_grad_()
    result = result_of(case, inputs, case["documented"], exact, read)
    if not result.requires_grad:
        return [result, *(torch.zeros_like(each) for each in inputs)]
    gradients = torch.autograd.grad(result, inputs, delta, allow_unused=True)
    return [result, *(torch.zeros_like(x) if own is None else own for own, x in zip(gradients, inputs))]


def answer(case):
    torch.manual_seed(case["id"])
    given = outcome(case)
    exact = outcome(case, exact=True)
    spreads = [torch.zeros_like(each) for each in exact]
    for _ in range(TRIALS):
        for i, each in enumerate(outcome(case, exact=True, read=disturbed)):
            moved = (each - exact[i]).abs() / EPSILON
            spreads[i] = torch.maximum(spreads[i], torch.where(moved.isfinite(), moved, 0))
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
