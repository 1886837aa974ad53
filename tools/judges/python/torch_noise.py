"""Values that are a little off, to measure how far roundings carry in an expression: whatever a step reads, what a
function loses digits to, and gradients on their way back."""

import torch

# By how much values are off: several roundings of the coarsest type that an expression passes through, so that it tips
# where it may tip; and enough to be told from those of float64.
OFF = {"float16": 2.0**-8, "bfloat16": 2.0**-5, "float32": 2.0**-21, "float64": 2.0**-26}


class Noise:
    """What makes values a little off, each by something else; and gradients, or these alone."""

    def __init__(self, size, forward):
        self.size = size
        self.forward = forward

    def __call__(self, value):
        return value * (1 + self.size * (2 * torch.rand_like(value) - 1))

    def within(self, value):
        """Of a value inside a function that is going forward."""
        return self(value) if self.forward else value

    def read(self, value):
        return value if value.dtype == torch.bool else Disturbed.apply(self, value)


class Disturbed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, noise, value):
        ctx.noise = noise
        # A view would be the value itself.
        return noise.within(value).clone()

    @staticmethod
    def backward(ctx, delta):
        return None, ctx.noise(delta)


class Exact:
    """Nothing is off."""

    forward = True

    def within(self, value):
        return value

    def read(self, value):
        return value


class Lossy(torch.autograd.Function):
    """A function that loses digits inside, and its slope, which loses others."""

    @staticmethod
    def forward(ctx, noise, compute, slope, x):
        ctx.noise, ctx.slope = noise, slope
        ctx.save_for_backward(x)
        return compute(x, noise.within)

    @staticmethod
    def backward(ctx, delta):
        return None, None, None, delta * ctx.slope(*ctx.saved_tensors, ctx.noise)


def tanh(x, noise):
    return noise(torch.tanh(x))


def tanh_slope(x, noise):
    t = tanh(x, noise)
    return 1 - t * t


def sigmoid(x, noise):
    return noise(torch.sigmoid(x))


def sigmoid_slope(x, noise):
    s = sigmoid(x, noise)
    return s * (1 - s)


def share(x, noise):
    return 0.5 * (1 + noise(torch.erf(x * 0.5**0.5)))


def inner(x):
    return (2 / torch.pi) ** 0.5 * (x + 0.044715 * x * x * x)


def share_tanh(x, noise):
    return 0.5 * (1 + tanh(inner(x), noise))


def share_tanh_slope(x, noise):
    return 0.5 * tanh_slope(inner(x), noise) * (2 / torch.pi) ** 0.5 * (1 + 3 * 0.044715 * x * x)


# What loses digits is a little off.
DISTURBED = {
    "Tanh": (tanh, tanh_slope),
    "Sigmoid": (sigmoid, sigmoid_slope),
    "Gelu": (
        lambda x, noise: x * share(x, noise),
        lambda x, noise: share(x, noise) + x * torch.exp(-0.5 * x * x) * (0.5 / torch.pi) ** 0.5,
    ),
    "GeluTanh": (
        lambda x, noise: x * share_tanh(x, noise),
        lambda x, noise: share_tanh(x, noise) + x * share_tanh_slope(x, noise),
    ),
}
