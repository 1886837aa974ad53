"""onnx's reference evaluator; for the attributes of opset 6 its version converter first."""

import ml_dtypes
import numpy as np
import onnx
import onnx.version_converter
from judge import Unsupported, array, serve, tensor
from onnx.reference import ReferenceEvaluator
from onnx_models import model


def operand(given):
    value = array(given)
    return value.view(ml_dtypes.bfloat16) if given["dtype"] == "bfloat16" else value


def answer(case):
    dtypes = [given["dtype"] for given in case["inputs"]]
    shapes = [given["shape"] for given in case["inputs"]]
    inputs = [operand(given) for given in case["inputs"]]
    if case["op"] == "Expand":
        dtypes, shapes = [*dtypes, "int64"], [*shapes, [len(case["target"])]]
        inputs = [*inputs, np.array(case["target"], np.int64)]
    if case["rule"]["name"] == "onnxLegacy":
        old = model(case, dtypes, shapes, opset=6, ir_version=3)
        old.graph.output[0].type.tensor_type.shape.SetInParent()
        for size in shapes[0]:
            old.graph.output[0].type.tensor_type.shape.dim.add().dim_value = size
        new = onnx.version_converter.convert_version(old, 7)
    else:
        new = model(case, dtypes, shapes)
    session = ReferenceEvaluator(new)
    (result,) = session.run(None, {f"x{i}": value for i, value in enumerate(inputs)})
    result = np.asarray(result)
    if result.dtype == ml_dtypes.bfloat16:
        return tensor(result.view(np.uint16), "bfloat16")
    return tensor(result)


np.seterr(all="ignore")
serve(onnx.__version__, answer)
