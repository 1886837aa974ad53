"""Operators that differ from PyTorch's by a decision, in values (docs/disagreements.md) or in gradients
(docs/gradients.md). An expression that differs has to agree once these stand in for PyTorch's own."""

import numpy as np
import torch


class Documented(torch.autograd.Function):
    """A function with the gradients that a rule gives, computed in float32 or wider and rounded once."""

    @staticmethod
    def forward(ctx, compute, rule, *inputs):
        wide = [each.to(torch.promote_types(each.dtype, torch.float32)) for each in inputs]
        result = compute(*wide).to(inputs[0].dtype)
        ctx.save_for_backward(*inputs, result)
        ctx.rule = rule
        return result

    @staticmethod
    def backward(ctx, delta):
        saved = ctx.saved_tensors
        wide = torch.promote_types(delta.dtype, torch.float32)
        *inputs, result = [each.to(wide) for each in saved]
        gradients = ctx.rule(inputs, result, delta.to(wide))
        return (None, None, *(each.to(own.dtype) for each, own in zip(gradients, saved)))


def documented(compute, rule):
    return lambda *inputs: Documented.apply(compute, rule, *torch.broadcast_tensors(*inputs))


def maximum(x, y):
    """The greater zero is the one without a sign."""
    return torch.where((x == 0) & (y == 0), x + y, torch.maximum(x, y))


def minimum(x, y):
    return -maximum(-x, -y)


def absolute(inputs, result, delta):
    (x,) = inputs
    return [torch.where(x > 0, delta, torch.where(x < 0, -delta, 0))]


def sign(x):
    return torch.where(x.isnan(), x, torch.sign(x))


def nothing(inputs, result, delta):
    return [torch.zeros_like(delta)]


def relu(x):
    return maximum(x, torch.zeros_like(x))


def by_result(inputs, result, delta):
    return [torch.where(result <= 0, 0, delta)]


def prelu(x, slope):
    return torch.where(x < 0, slope * x, x)


def by_slope(inputs, result, delta):
    x, slope = inputs
    return [torch.where(x > 0, delta, slope * delta), torch.where(x > 0, 0, x * delta)]


def softplus(x):
    return torch.logaddexp(x, torch.zeros_like(x))


def by_sigmoid(inputs, result, delta):
    return [delta * torch.sigmoid(inputs[0])]


def gelu(x):
    """By the complement: nothing is lost far below zero."""
    return torch.where(x.isneginf(), 0, 0.5 * x * torch.erfc(-x * 0.5**0.5))


def by_density(inputs, result, delta):
    (x,) = inputs
    density = torch.exp(-0.5 * x * x) * (0.5 / torch.pi) ** 0.5
    return [delta * (0.5 * torch.erfc(-x * 0.5**0.5) + x * density)]


def gelu_tanh(x):
    return torch.where(x.isneginf(), 0, x * torch.sigmoid((8 / torch.pi) ** 0.5 * (x + 0.044715 * x * x * x)))


def by_share(inputs, result, delta):
    (x,) = inputs
    share = torch.sigmoid((8 / torch.pi) ** 0.5 * (x + 0.044715 * x * x * x))
    slope = (8 / torch.pi) ** 0.5 * (1 + 3 * 0.044715 * x * x)
    return [delta * (share + x * slope * share * (1 - share))]


def power(inputs, result, delta):
    x, y = inputs
    constant = (x == 0) & (y >= 0)
    by_base = torch.where(y == 0, 0, delta * (y * x.pow(torch.where(y == 0, 1, y) - 1)))
    return [by_base, torch.where(constant, 0, delta * (result * torch.where(constant, 1, x).log()))]


def clip(x, least, most):
    return minimum(maximum(x, least), most)


def bounded(inputs, result, delta):
    x, least, most = inputs
    return [
        torch.where((x >= least) & (x <= most), delta, 0),
        torch.where((x < least) & (least < most), delta, 0),
        torch.where((x > most) | (most < least), delta, 0),
    ]


def rest(x, y):
    """As C has it."""
    return torch.from_numpy(np.asarray(np.fmod(x.numpy(), y.numpy())))


def floor_rest(x, y):
    """With the sign of the divisor, zeros too."""
    remainder = rest(x, y)
    turned = torch.where((remainder < 0) != (y < 0), remainder + y, remainder)
    return torch.where(remainder == 0, torch.copysign(remainder, y), turned)


def quotient(x, y, remainder):
    return ((x - remainder) / y).round()


def by_rest(inputs, result, delta):
    x, y = inputs
    return [delta, -delta * quotient(x, y, result)]


def by_floor_rest(inputs, result, delta):
    x, y = inputs
    return [delta, -delta * torch.where(result == y, -1, quotient(x, y, result))]


OPERATORS = {
    "Abs": documented(torch.abs, absolute),
    "Sign": documented(sign, nothing),
    "Relu": documented(relu, by_result),
    "PRelu": documented(prelu, by_slope),
    "Softplus": documented(softplus, by_sigmoid),
    "Gelu": documented(gelu, by_density),
    "GeluTanh": documented(gelu_tanh, by_share),
    "Pow": documented(torch.pow, power),
    "Clip": documented(clip, bounded),
    "Mod": documented(rest, by_rest),
    "FloorMod": documented(floor_rest, by_floor_rest),
}


def hard_sigmoid(alpha, beta):
    """The slope is the attribute's, in float64 too; nothing passes at NaN."""

    def rule(inputs, result, delta):
        return [torch.where((result > 0) & (result < 1), delta * alpha, 0)]

    return documented(lambda x: torch.clamp(x * alpha + beta, 0, 1), rule)


def elu(alpha=1):
    """At NaN the gradient passes, however many elements there are."""

    def rule(inputs, result, delta):
        (x,) = inputs
        return [torch.where(x <= 0, delta * alpha * torch.exp(torch.where(x <= 0, x, 0)), delta)]

    return documented(lambda x: torch.where(x < 0, alpha * torch.expm1(x), x), rule)


ATTRIBUTED = {"HardSigmoid": hard_sigmoid, "Elu": elu}


EXTREMES = {"Max": maximum, "Min": minimum}


def among_ties(inputs, result, delta):
    chosen = [x == result for x in inputs]
    share = delta / sum(each.to(delta.dtype) for each in chosen)
    return [torch.where(result.isnan(), delta, torch.where(each, share, 0)) for each in chosen]


def extreme(op, inputs):
    def compute(*each):
        result = each[0]
        for other in each[1:]:
            result = EXTREMES[op](result, other)
        return result

    return documented(compute, among_ties)(*inputs)


def over(compute, slope, dims, keepdim):
    """A reduction with a rule over the elements, the result and its gradient, all in the shape of the elements."""

    def rule(inputs, result, delta):
        if not keepdim:
            for dim in sorted(dims):
                result, delta = result.unsqueeze(dim), delta.unsqueeze(dim)
        return [slope(inputs[0], result, delta)]

    def forward(x):
        result = compute(x)
        return result if keepdim else result.squeeze(dims)

    return documented(forward, rule)


def extreme_over(op, dims, keepdim):
    """As of that many operands."""

    def compute(x):
        y = x if op == "max" else -x
        result = torch.amax(y, dims, True)
        plus = ((y == 0) & ~torch.signbit(y)).any(dims, keepdim=True)
        result = torch.where(result == 0, torch.where(plus, 0.0, -0.0), result)
        return result if op == "max" else -result

    def slope(x, result, delta):
        chosen = x == result
        share = delta / chosen.to(delta.dtype).sum(dims, keepdim=True)
        return torch.where(result.isnan(), delta, torch.where(chosen, share, 0))

    return over(compute, slope, dims, keepdim)


def product_over(dims, keepdim):
    """Of the others: beside one zero it is left for the zero alone, beside two for none."""

    def product(x):
        for dim in dims:
            x = torch.prod(x, dim, True)
        return x

    def slope(x, result, delta):
        zeros = (x == 0).sum(dims, keepdim=True)
        others = product(torch.where(x == 0, 1, x))
        at_zero, elsewhere = torch.where(zeros == 1, others, 0), torch.where(zeros == 0, others / x, 0)
        return torch.where(x == 0, at_zero, elsewhere) * delta

    return over(product, slope, dims, keepdim)


def length_over(ord, dims, keepdim):
    """The sum of magnitudes, or the root of the sum of squares, also of one element alone; zero at the origin."""

    def compute(x):
        return x.abs().sum(dims, True) if ord == 1 else x.square().sum(dims, True).sqrt()

    def slope(x, result, delta):
        if ord == 1:
            return absolute([x], result, delta.expand_as(x))[0]
        return torch.where(result == 0, 0, x / result * delta)

    return over(compute, slope, dims, keepdim)
