"""OpenVINO: each operator's own evaluation in exact types, or the CPU plugin; which one is the argument."""

import os
import sys

import numpy as np
import openvino as ov
import openvino.opset15 as ops
from judge import NUMPY_TYPES, Unsupported, array, serve, shape, tensor
from openvino.utils.node_factory import NodeFactory

COMPILED = sys.argv[1] == "cpu"
# Evaluation with empty operands damages the process; only a process of its own may try.
ALONE = "JUDGE_ALONE" in os.environ
CORE = ov.Core() if COMPILED else None
FACTORIES = {version: NodeFactory(version) for version in ("opset1", "opset3", "opset4", "opset5", "opset13", "opset15")}

BINARY = {
    "Add": ("opset1", "Add"),
    "Sub": ("opset1", "Subtract"),
    "Mul": ("opset1", "Multiply"),
    "Div": ("opset1", "Divide"),
    "FloorDiv": ("opset1", "Divide"),
    "Mod": ("opset1", "Mod"),
    "FloorMod": ("opset1", "FloorMod"),
    "Pow": ("opset1", "Power"),
    "SquaredDifference": ("opset1", "SquaredDifference"),
    "Max": ("opset1", "Maximum"),
    "Min": ("opset1", "Minimum"),
    "And": ("opset1", "LogicalAnd"),
    "Or": ("opset1", "LogicalOr"),
    "Xor": ("opset1", "LogicalXor"),
    "Equal": ("opset1", "Equal"),
    "NotEqual": ("opset1", "NotEqual"),
    "Greater": ("opset1", "Greater"),
    "Less": ("opset1", "Less"),
    "GreaterOrEqual": ("opset1", "GreaterEqual"),
    "LessOrEqual": ("opset1", "LessEqual"),
    "BitwiseAnd": ("opset13", "BitwiseAnd"),
    "BitwiseOr": ("opset13", "BitwiseOr"),
    "BitwiseXor": ("opset13", "BitwiseXor"),
    "BitwiseLeftShift": ("opset15", "BitwiseLeftShift"),
    "BitwiseRightShift": ("opset15", "BitwiseRightShift"),
    "Where": ("opset1", "Select"),
}

UNARY = {
    "Not": ("opset1", "LogicalNot"),
    "BitwiseNot": ("opset13", "BitwiseNot"),
    "Neg": ("opset1", "Negative"),
    "Abs": ("opset1", "Abs"),
    "Sign": ("opset1", "Sign"),
    "Sqrt": ("opset1", "Sqrt"),
    "Exp": ("opset1", "Exp"),
    "Log": ("opset1", "Log"),
    "Tanh": ("opset1", "Tanh"),
    "Sigmoid": ("opset1", "Sigmoid"),
    "Relu": ("opset1", "Relu"),
    "Floor": ("opset1", "Floor"),
    "Ceil": ("opset1", "Ceiling"),
}

TYPES = {
    "float16": ov.Type.f16,
    "bfloat16": ov.Type.bf16,
    "float32": ov.Type.f32,
    "float64": ov.Type.f64,
    "int8": ov.Type.i8,
    "int16": ov.Type.i16,
    "int32": ov.Type.i32,
    "int64": ov.Type.i64,
    "uint8": ov.Type.u8,
    "uint16": ov.Type.u16,
    "uint32": ov.Type.u32,
    "uint64": ov.Type.u64,
    "bool": ov.Type.boolean,
}
NAMES = {kind: name for name, kind in TYPES.items()}
MODES = {"unidirectional": "numpy", "bidirectional": "bidirectional", "explicit": "explicit", "pdpd": "pdpd"}


def broadcast(case, data):
    version, rule = case["attrs"]["version"], case["rule"]
    given = [data, ops.constant(np.array(case["target"], np.int64))]
    attributes = {"mode": MODES[rule["name"]]}
    if rule["name"] == "explicit":
        given.append(ops.constant(np.array(rule["axesMapping"], np.int64)))
    elif version == 1:
        # Broadcast-1 wants its third input in every mode; it reads it in none but explicit.
        given.append(ops.constant(np.zeros(1, np.uint8)))
    if rule["name"] == "pdpd" and version == 1:
        attributes["mode.auto_broadcast_axis"] = rule["axis"]
    return FACTORIES[f"opset{version}"].create("Broadcast", given, attributes)


def elementwise(case, operands):
    op, rule = case["op"], case["rule"]
    version, kind = BINARY[op]
    attributes = {"auto_broadcast": rule["name"]}
    if rule["name"] == "pdpd":
        attributes["auto_broadcast.auto_broadcast_axis"] = rule["axis"]
    if op == "Div":
        attributes["m_pythondiv"] = False
    if op in ("Max", "Min") and len(operands) != 2:
        raise Unsupported("two operands")
    return FACTORIES[version].create(kind, operands, attributes)


def node(case, operands):
    op = case["op"]
    if op in BINARY:
        if op == "Mod" and not case["attrs"].get("fmod"):
            raise Unsupported("Mod follows the dividend")
        if op == "Div" and case["attrs"].get("plain"):
            raise Unsupported("plain")
        return elementwise(case, operands)
    if op in UNARY:
        version, kind = UNARY[op]
        return FACTORIES[version].create(kind, operands, {})
    if op == "Broadcast":
        return broadcast(case, operands[0])
    if op == "Round":
        return FACTORIES["opset5"].create("Round", operands, {"mode": "half_to_even"})
    if op == "Cast":
        return FACTORIES["opset1"].create("Convert", operands, {"destination_type": TYPES[case["attrs"]["to"]].to_string()})
    if op == "PRelu" and case["rule"]["name"] == "openvinoPrelu":
        return FACTORIES["opset1"].create("PRelu", operands, {})
    raise Unsupported(op)


def dimension(size):
    if size is None:
        return ov.Dimension()
    if isinstance(size, dict):
        return ov.Dimension(size["min"], -1 if size["max"] is None else size["max"])
    return ov.Dimension(size)


def partial(sizes):
    return ov.PartialShape.dynamic() if sizes is None else ov.PartialShape([dimension(size) for size in sizes])


def size(dim):
    if dim.is_static:
        return dim.get_length()
    low, high = dim.get_min_length(), dim.get_max_length()
    return None if low == 0 and high == -1 else {"min": low, "max": None if high == -1 else high}


def infer(case):
    dtypes = [case["dtype"]] * len(case["shapes"])
    if case["op"] == "Where":
        dtypes[0] = "bool"
    given = [ops.parameter(partial(sizes), TYPES[dtype]) for sizes, dtype in zip(case["shapes"], dtypes)]
    result = elementwise(case, given).get_output_partial_shape(0)
    return shape(None if result.rank.is_dynamic else [size(dim) for dim in result])


def operand(given):
    value = array(given)
    if given["dtype"] == "bfloat16":
        return ov.Tensor(value, value.shape, ov.Type.bf16)
    return ov.Tensor(value, shared_memory=False)


def answer(case):
    if case["kind"] == "infer":
        return infer(case)
    if any(given["dtype"] == "string" for given in case["inputs"]):
        raise Unsupported("no strings")
    parameters = [ops.parameter(ov.PartialShape(list(given["shape"])), TYPES[given["dtype"]]) for given in case["inputs"]]
    made = node(case, parameters)
    inputs = [operand(given) for given in case["inputs"]]
    if COMPILED:
        compiled = CORE.compile_model(ov.Model([made], parameters, "case"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        result = compiled.create_infer_request().infer(inputs)[0]
        return tensor(result)
    kind = made.get_output_element_type(0)
    result = ov.Tensor(kind, made.get_output_partial_shape(0).to_shape())
    empty = any(0 in given["shape"] for given in case["inputs"])
    if not empty or ALONE:
        ov.Model([made], parameters, "case").evaluate([result], inputs)
    elif 0 not in result.shape:
        raise Unsupported("empty operands")
    if kind == ov.Type.bf16:
        return tensor(np.array(result.data).view(np.uint16).reshape(tuple(result.shape)), "bfloat16")
    return tensor(np.array(result.data), NAMES[kind])


serve(
    ov.__version__.split("-")[0],
    answer,
    unsupported=("Evaluation failed on", "element type", "Element type", "Unsupported"),
)
