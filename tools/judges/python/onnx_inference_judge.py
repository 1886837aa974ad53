"""onnx's shape inference, strict or as it comes; the mode is the argument."""

import sys

import onnx
from judge import Unsupported, serve, shape
from onnx_models import model

STRICT = sys.argv[1] == "strict"


def size(dim):
    if dim.HasField("dim_value"):
        return dim.dim_value
    # Names of its own making say no more than "unknown".
    return dim.dim_param if dim.dim_param and not dim.dim_param.startswith("unk__") else None


def answer(case):
    dtypes = [case["dtype"]] * len(case["shapes"])
    if case["op"] == "Where":
        dtypes[0] = "bool"
    given = onnx.shape_inference.infer_shapes(model(case, dtypes, case["shapes"]), strict_mode=STRICT, check_type=STRICT)
    kind = given.graph.output[0].type.tensor_type
    return shape([size(dim) for dim in kind.shape.dim] if kind.HasField("shape") else None)


serve(onnx.__version__, answer)
