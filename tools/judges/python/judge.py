"""What every Python judge shares: cases come in as lines of JSON, answers go out the same way."""

import base64
import json
import os
import sys

import numpy as np

NUMPY_TYPES = {
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "bool": np.bool_,
}


class Unsupported(Exception):
    """The engine has no such operator for these types; it is not asked about shapes then."""


def array(tensor):
    """A case's tensor as an array; bfloat16 as its bit patterns in uint16."""
    shape = tensor["shape"]
    if tensor["dtype"] == "string":
        return np.array(tensor["data"], dtype=object).reshape(shape)
    kind = np.uint16 if tensor["dtype"] == "bfloat16" else NUMPY_TYPES[tensor["dtype"]]
    return np.frombuffer(base64.b64decode(tensor["data"]), dtype=kind).reshape(shape).copy()


def tensor(value, dtype=None):
    """An array as an answer."""
    value = np.asarray(value)
    if dtype is None:
        dtype = "string" if value.dtype.kind in "OUST" else value.dtype.name
    if dtype == "string":
        data = [str(element) for element in value.ravel()]
    else:
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"kind": "tensor", "tensor": {"dtype": dtype, "shape": list(value.shape), "data": data}}


def shape(sizes):
    return {"kind": "shape", "shape": sizes if sizes is None else list(sizes)}


def text(error):
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]


def serve(version, answer, unsupported=(), describe=text):
    """Answers every case; texts in `unsupported` mark errors that mean a missing kernel."""
    # Engines print to stdout when they like; answers keep the real one for themselves.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(line):
        out.write(json.dumps(line) + "\n")
        out.flush()

    send({"version": version})
    for line in sys.stdin:
        case = json.loads(line)
        try:
            result = answer(case)
        except Unsupported as error:
            result = {"kind": "unsupported", "text": str(error)}
        except Exception as error:  # Whatever an engine raises is its answer.
            whole = f"{type(error).__name__}: {error}"
            missing = any(mark in whole for mark in unsupported)
            result = {"kind": "unsupported" if missing else "error", "text": describe(error)}
        send({"id": case["id"], "answer": result})
