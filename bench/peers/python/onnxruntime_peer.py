"""onnxruntime for Python: one-operator models, inputs bound once, the result bound for `out`. Argument: threads."""

import sys

import numpy as np
import onnxruntime as ort
from serve import Unsupported, dtype_of, serve


def build(task, operands):
    if any(operand["dtype"] == "bfloat16" for operand in task["operands"]):
        raise Unsupported("has no bfloat16")
    options = ort.SessionOptions()
    options.intra_op_num_threads = int(sys.argv[1])
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(task["model"], options, providers=["CPUExecutionProvider"])
    values = [ort.OrtValue.ortvalue_from_numpy(array) for array in operands]
    place = ort.OrtValue.ortvalue_from_numpy(np.empty(task["result"]["shape"], dtype_of(task["result"]["dtype"])))
    bound = session.io_binding()
    unbound = session.io_binding()
    for i, value in enumerate(values):
        bound.bind_ortvalue_input(f"x{i}", value)
        unbound.bind_ortvalue_input(f"x{i}", value)
    bound.bind_ortvalue_output("y", place)

    def out():
        session.run_with_iobinding(bound)
        return place

    outputs = [output.name for output in session.get_outputs()]

    def fresh():
        # Binding again lets go of the last results, so that each run makes its own.
        for name in outputs:
            unbound.bind_output(name, "cpu")
        session.run_with_iobinding(unbound)
        return unbound.get_outputs()

    def read(result):
        return result.numpy()

    return {"fresh": fresh, "read": read} if task["also"] else {"fresh": fresh, "out": out, "read": read}


serve(build)
