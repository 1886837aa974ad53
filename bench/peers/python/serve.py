"""The process around a peer in Python: answers requests line by line, and does all timing, so that every Python peer is
timed by the same loop. A peer is a function from a task and its operands to calls: a dict with `fresh`, perhaps `out`,
and `read`, which gives a result's elements as a NumPy array. Where there are several results, a call gives a list."""

import gc
import json
import math
import os
import sys
from time import perf_counter

# Libraries may print; replies go to the output that this process was started with.
replies = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

import numpy as np  # noqa: E402

# What layerNorm adds to the variance; every library's own default.
EPSILON = 1e-5

# A batch of calls is at least this long, so that the clock's grain is no part of the figure.
BATCH_S = 0.008

DTYPES = {
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "int8": np.int8,
    "int64": np.int64,
    "bool": np.bool_,
}


class Unsupported(Exception):
    pass


def dtype_of(name):
    if name == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return DTYPES[name]


def keepdims_of(task):
    return len(task["result"]["shape"]) == len(task["operands"][0]["shape"])


def load(operand):
    return np.fromfile(operand["file"], dtype=dtype_of(operand["dtype"])).reshape(operand["shape"])


def best(call, seconds, least):
    end = perf_counter() + seconds
    call()
    fastest, count, done = math.inf, 1, 0
    while done < least or perf_counter() < end:
        begun = perf_counter()
        for _ in range(count):
            call()
        each = (perf_counter() - begun) / count
        fastest = min(fastest, each)
        if each * count < BATCH_S:
            count = max(count, math.ceil(BATCH_S / each))
        done += 1
    return fastest


def serve(build):
    calls = {}

    def answer(request):
        nonlocal calls
        what = request["do"]
        if what == "load":
            task = request["task"]
            if task["foreign"]:
                raise Unsupported("is not JavaScript")
            calls = build(task, [load(operand) for operand in task["operands"]])
            return {"modes": [mode for mode in ("fresh", "out") if mode in calls]}
        if what == "first":
            operands = [load(operand) for operand in request["task"]["operands"]]
            begun = perf_counter()
            build(request["task"], operands)["fresh"]()
            return {"seconds": perf_counter() - begun}
        if what == "unload":
            calls = {}
            gc.collect()
            return {}
        call = calls[request["mode"]]
        if what == "time":
            return {"seconds": best(call, request["ms"] / 1000, request["least"])}
        result = call()
        with open(request["file"], "wb") as file:
            for each in result if isinstance(result, list) else [result]:
                np.ascontiguousarray(calls["read"](each)).tofile(file)
        return {}

    for line in sys.stdin:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # whatever a library throws is its answer
            reply = {"error": (str(error).strip() or repr(error)).split("\n")[0][:200]}
        replies.write("@bench " + json.dumps(reply) + "\n")
