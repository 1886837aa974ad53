"""PyTorch's automatic differentiation on the CPU: the gradient of one operand of one operator."""

import torch
from judge import Unsupported, serve
from torch_operators import answered, compute, operand


def answer(case):
    inputs = [operand(given) for given in case["inputs"]]
    by = inputs[case["by"]].requires_grad_()
    result = compute(case["op"], case["attrs"], inputs)
    delta = operand(case["delta"])
    if result.dtype != delta.dtype:
        raise Unsupported("the result has another type")
    (gradient,) = torch.autograd.grad(result, by, delta)
    return answered(gradient)


torch.set_num_threads(1)
serve(torch.__version__.split("+")[0], answer, unsupported=("not implemented for", "not supported for"))
