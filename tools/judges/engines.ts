// The engines that judge: what each is called, how it comes onto the machine, and which cases it is asked.
import { join } from 'node:path'
import { fileURLToPath, URL } from 'node:url'
import { explain, openvinoPrelu } from 'bcast'
import type { Case } from './case.ts'
import { directed } from './directed.ts'
import type { Command } from './engine.ts'
import { ensureNode, ensurePython, nodePackage, type PythonPackage, python } from './install.ts'

export interface Engine {
  readonly name: string
  /** As the report heads its part. */
  readonly title: string
  /** Which part of the package answers, where there are several. */
  readonly part?: string
  /** What is asked, in a sentence. */
  readonly asked: string
  takes(question: Case): boolean
  /** Cases that get a process of their own because they damage it. */
  alone?(question: Case): boolean
  /** Throws an EngineError with the reason when the engine cannot be had. */
  prepare(named: boolean): Promise<Command>
}

const WORKER = fileURLToPath(new URL('./onnxruntime/worker.ts', import.meta.url))
const PYTHON = fileURLToPath(new URL('./python/', import.meta.url))

const NUMPY: PythonPackage = { requirement: 'numpy==2.4.6', module: 'numpy' }
const ONNX: PythonPackage = { requirement: 'onnx==1.23.2', module: 'onnx' }
const OPENVINO: PythonPackage = { requirement: 'openvino==2026.4.1', module: 'openvino', alone: true }
const PADDLE: PythonPackage = { requirement: 'paddlepaddle==3.3.1', module: 'paddle' }
const CUDA =
  'its package for Linux brings several GB of CUDA libraries; name it (npm run judges -- torch) to install it'
const TORCH: PythonPackage = {
  requirement: 'torch==2.15.0',
  module: 'torch',
  ...(process.platform === 'linux' ? { onlyWhenNamed: CUDA } : {}),
}

const pythonCommand = (script: string, ...args: readonly string[]): Command => ({
  file: python,
  args: ['-W', 'ignore', join(PYTHON, script), ...args],
  env: { PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' },
})

const fromPython =
  (wanted: PythonPackage, script: string, ...args: readonly string[]) =>
  async (named: boolean): Promise<Command> => {
    await ensurePython(NUMPY, true)
    await ensurePython(wanted, named)
    return pythonCommand(script, ...args)
  }

/** Operators that only OpenVINO has. */
const NOT_ONNX = [
  'FloorDiv',
  'FloorMod',
  'SquaredDifference',
  'NotEqual',
  'BitwiseLeftShift',
  'BitwiseRightShift',
  'Broadcast',
  'BroadcastTo',
]

const isOnnx = ({ kind, op, rule, attrs }: Case): boolean =>
  kind === 'compute' &&
  !NOT_ONNX.includes(op) &&
  attrs.plain !== true &&
  (rule.name === 'numpy' || rule.name === 'unidirectional' || rule.name === 'bidirectional')

const isArray = ({ kind, op, rule }: Case): boolean =>
  kind === 'shapes' ||
  (kind === 'compute' &&
    (rule.name === 'numpy' ||
      op === 'BroadcastTo' ||
      op === 'Expand' ||
      op === 'Gemm' ||
      rule.name === 'openvinoPrelu'))

const hasNames = (question: Case): boolean =>
  question.kind === 'infer' && question.shapes.some((shape) => shape?.some((dim) => typeof dim === 'string'))

const hasIntervals = (question: Case): boolean =>
  question.kind === 'infer' &&
  question.shapes.some((shape) => shape?.some((dim) => typeof dim === 'object' && dim !== null))

const isOnnxInference = (question: Case): boolean =>
  question.kind === 'infer' &&
  (question.rule.name === 'numpy' || question.rule.name === 'unidirectional') &&
  !hasIntervals(question)

const OPENVINO_RULES = ['numpy', 'none', 'pdpd', 'openvinoPrelu']

/** PReLU reads beyond a slope that does not fit; one case written by hand is enough of that. */
const readsBeyondSlope = (question: Case): boolean =>
  question.kind === 'compute' &&
  question.rule.name === 'openvinoPrelu' &&
  question.id >= directed.length &&
  explain(
    question.inputs.map(({ shape }) => shape),
    { broadcast: openvinoPrelu },
  ).verdict === 'error'

const isOpenvino = (question: Case): boolean => {
  if (readsBeyondSlope(question)) return false
  if (question.kind === 'shapes') return false
  if (question.kind === 'infer')
    return (
      OPENVINO_RULES.includes(question.rule.name) &&
      question.op !== 'PRelu' &&
      !hasNames(question) &&
      (question.op === 'Add' || question.op === 'Where')
    )
  return question.op === 'Broadcast' || OPENVINO_RULES.includes(question.rule.name)
}

/** Evaluation writes out of bounds when an operand has no elements. */
const damagesOpenvino = (question: Case): boolean =>
  question.id < directed.length && question.kind === 'compute' && question.inputs.some(({ shape }) => shape.includes(0))

/** The CPU plugin computes these as they are; it converts other types before it begins. */
const PLUGIN_TYPES = ['float32', 'int32', 'bool']

const isPlugin = (question: Case): boolean =>
  question.kind === 'compute' &&
  isOpenvino(question) &&
  question.inputs.every(({ dtype }) => PLUGIN_TYPES.includes(dtype)) &&
  (question.attrs.to === undefined || PLUGIN_TYPES.includes(question.attrs.to))

/** axis + the smaller rank passes the larger rank; Paddle then writes out of bounds. */
export function overrunsAxis(question: Case): boolean {
  if (question.kind !== 'compute' || question.rule.name !== 'paddle') return false
  const ranks = question.inputs.map(({ shape }) => shape.length)
  const [least, most] = [Math.min(...ranks), Math.max(...ranks)]
  return least < most && (question.rule.axis ?? -1) + least > most
}

const isPaddle = (question: Case): boolean =>
  isArray(question) ||
  (question.kind === 'compute' &&
    question.rule.name === 'paddle' &&
    (question.id < directed.length || !overrunsAxis(question)))

/** PyTorch's automatic differentiation. */
export const torchGradients: (named: boolean) => Promise<Command> = fromPython(TORCH, 'torch_gradients_judge.py')

/** The same over whole expressions. */
export const torchExpressions: (named: boolean) => Promise<Command> = fromPython(TORCH, 'torch_expressions_judge.py')

export const engines: readonly Engine[] = [
  {
    name: 'onnxruntime',
    title: 'onnxruntime',
    asked: 'Kernels of the CPU provider through onnxruntime-node, opset 22, shapes not declared in the model.',
    takes: isOnnx,
    prepare: async () => {
      await ensureNode('onnxruntime-node@1.30.0', { ONNXRUNTIME_NODE_INSTALL: 'skip' })
      return {
        file: process.execPath,
        args: [
          '--conditions=bcast-source',
          '--import',
          import.meta.resolve('tsx'),
          WORKER,
          nodePackage('onnxruntime-node'),
        ],
      }
    },
  },
  {
    name: 'numpy',
    title: 'NumPy',
    asked: 'Its functions on arrays of the same types (`np.add`, `np.broadcast_to`, …), warnings off.',
    takes: isArray,
    prepare: async () => {
      await ensurePython(NUMPY, true)
      return pythonCommand('numpy_judge.py')
    },
  },
  {
    name: 'onnx-reference',
    title: 'onnx',
    part: 'reference evaluator',
    asked: 'One-node models of opset 22; models of opset 6 go through onnx’s version converter first.',
    takes: (question) => isOnnx(question) || (question.kind === 'compute' && question.rule.name === 'onnxLegacy'),
    prepare: fromPython(ONNX, 'onnx_reference_judge.py'),
  },
  {
    name: 'onnx-inference',
    title: 'onnx',
    part: 'shape inference, strict',
    asked: '`infer_shapes(model, strict_mode=True, check_type=True)` against `explain`.',
    takes: isOnnxInference,
    prepare: fromPython(ONNX, 'onnx_inference_judge.py', 'strict'),
  },
  {
    name: 'onnx-inference-default',
    title: 'onnx',
    part: 'shape inference, default',
    asked: '`infer_shapes(model)` against `explain`.',
    takes: isOnnxInference,
    prepare: fromPython(ONNX, 'onnx_inference_judge.py', 'default'),
  },
  {
    name: 'torch',
    title: 'PyTorch',
    asked: 'Functions on CPU tensors of the same types.',
    takes: isArray,
    prepare: fromPython(TORCH, 'torch_judge.py'),
  },
  {
    name: 'openvino',
    title: 'OpenVINO',
    part: 'the operators’ own evaluation',
    asked:
      '`Model.evaluate` and shape inference: element-wise operators under none, numpy and pdpd, Broadcast-1 and -3 in every mode.',
    takes: isOpenvino,
    alone: damagesOpenvino,
    prepare: fromPython(OPENVINO, 'openvino_judge.py', 'evaluate'),
  },
  {
    name: 'openvino-cpu',
    title: 'OpenVINO',
    part: 'CPU plugin',
    asked:
      'The same operators compiled for the CPU with precision f32: float32, int32 and bool, which the plugin computes as they are.',
    takes: isPlugin,
    prepare: fromPython(OPENVINO, 'openvino_judge.py', 'cpu'),
  },
  {
    name: 'paddle',
    title: 'PaddlePaddle',
    asked: 'Functions on CPU tensors; the operators with an `axis` attribute that older programs hold.',
    takes: isPaddle,
    alone: overrunsAxis,
    prepare: fromPython(PADDLE, 'paddle_judge.py'),
  },
]
