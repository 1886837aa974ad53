"""One-node ONNX models for the judges that read ONNX."""

import onnx
from onnx import TensorProto, helper
from judge import Unsupported

OPSET = 22
TYPES = {
    "float16": TensorProto.FLOAT16,
    "bfloat16": TensorProto.BFLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "int8": TensorProto.INT8,
    "int16": TensorProto.INT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "uint8": TensorProto.UINT8,
    "uint16": TensorProto.UINT16,
    "uint32": TensorProto.UINT32,
    "uint64": TensorProto.UINT64,
    "bool": TensorProto.BOOL,
    "string": TensorProto.STRING,
}
COMPARISONS = ("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual")
ABSENT = ("FloorDiv", "FloorMod", "SquaredDifference", "NotEqual", "BitwiseLeftShift", "BitwiseRightShift", "Broadcast", "BroadcastTo")


def attributes(case):
    op, given = case["op"], case["attrs"]
    if op == "Mod":
        return {"fmod": int(given.get("fmod", False))}
    if op == "BitShift":
        return {"direction": given["direction"]}
    if op == "Cast":
        return {"to": TYPES[given["to"]]}
    if op == "Gemm":
        return {
            "alpha": float(given.get("alpha", 1)),
            "beta": float(given.get("beta", 1)),
            "transA": int(given.get("transA", False)),
            "transB": int(given.get("transB", False)),
        }
    if case["rule"]["name"] == "onnxLegacy":
        axis = case["rule"].get("axis")
        return {"broadcast": 1} if axis is None else {"broadcast": 1, "axis": axis}
    return {}


def result_type(case, dtypes):
    if case["op"] in COMPARISONS:
        return "bool"
    if case["op"] == "Cast":
        return case["attrs"]["to"]
    return dtypes[1] if case["op"] == "Where" else dtypes[0]


def model(case, dtypes, shapes, opset=OPSET, ir_version=10):
    """The case's node, with inputs x0, x1, … of the given types and shapes and an output y of unknown shape."""
    if case["op"] in ABSENT or case["attrs"].get("plain"):
        raise Unsupported(case["op"])
    names = [f"x{i}" for i in range(len(dtypes))]
    node = helper.make_node(case["op"], names, ["y"], **attributes(case))
    inputs = [helper.make_tensor_value_info(n, TYPES[d], s) for n, d, s in zip(names, dtypes, shapes)]
    output = helper.make_tensor_value_info("y", TYPES[result_type(case, dtypes)], None)
    graph = helper.make_graph([node], "case", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)
