// What bcast wants to reach, row by row. A target compares with some peers at equal thread counts: the ratio is the
// fastest of them divided by bcast, so that 2 means twice as fast.
import type { Own } from './own.ts'
import type { Mode, Op } from './task.ts'

export interface Target {
  /** In words, as the table shows it. */
  readonly text: string
  /** Ids of the peers it speaks of; all of them unless said. */
  readonly peers?: readonly string[]
  readonly except?: readonly string[]
  readonly modes?: readonly Mode[]
  /** It compares with the C program, not with peers. */
  readonly machine?: boolean
  /** Smallest ratio with one thread, and with all. */
  readonly ratio: { readonly one: number; readonly all: number }
}

const both = (ratio: number) => ({ one: ratio, all: ratio })

/** Libraries whose interface is JavaScript, whatever computes behind it. */
const LIBRARIES = ['tfjs', 'jax-js', 'numpy-ts', 'onnxruntime-node']
const JAVASCRIPT = ['loop', ...LIBRARIES]

/** Simple operators. A fresh result costs native peers page faults, which an arena does not pay. */
export const simple: readonly Target[] = [
  { text: '1.0 of every peer', modes: ['fresh'], ratio: both(1) },
  { text: '1.0 of JavaScript and onnxruntime-node', modes: ['out'], peers: JAVASCRIPT, ratio: both(1) },
  { text: '0.8 of NumPy', modes: ['out'], peers: ['numpy'], ratio: both(0.8) },
  { text: '0.75 of PyTorch and bound onnxruntime', modes: ['out'], peers: ['torch', 'onnxruntime'], ratio: both(0.75) },
]

export const every = (ratio: number): readonly Target[] => [{ text: `${ratio} of every peer`, ratio: both(ratio) }]

export const fused: readonly Target[] = [
  { text: '1.5 of every peer with one thread, 3 with all', ratio: { one: 1.5, all: 3 } },
]

export const transposed: readonly Target[] = [
  { text: '1.2 of XLA', peers: ['jax'], ratio: both(1.2) },
  { text: '2.5 of the rest', except: ['jax'], ratio: both(2.5) },
]

export const float16: readonly Target[] = [
  { text: '4 of NumPy and JavaScript', peers: ['numpy', ...JAVASCRIPT], ratio: both(4) },
]

export const bfloat16: readonly Target[] = [{ text: '4 of the plain loop', peers: ['loop'], ratio: both(4) }]

export const perCall: readonly Target[] = [
  { text: '2 of NumPy', peers: ['numpy'], ratio: both(2) },
  { text: '10 of JavaScript libraries', peers: LIBRARIES, ratio: both(10) },
]

export const gemm: readonly Target[] = [
  { text: '1.0 of tfjs and jax-js, one thread', peers: ['tfjs', 'jax-js'], ratio: { one: 1, all: 0 } },
]

export const foreign: readonly Target[] = [{ text: '1.0 of JavaScript', peers: JAVASCRIPT, ratio: both(1) }]

/** One result of many elements: nobody can be faster than memory is read. */
export const reduction: readonly Target[] = [
  ...every(1),
  { text: 'within 1.15 of reading the bytes once', machine: true, ratio: both(1 / 1.15) },
]

/** With machine code nobody is faster, whatever the operator, the type and the size, in either mode. */
const NATIVE: readonly Target[] = [
  { text: '1.0 of every peer', ratio: both(1) },
  { text: 'within 1.10 of the C program', machine: true, ratio: both(1 / 1.1) },
]

/** XLA fuses multiplication and addition, which results that are equal everywhere forbid. */
const NATIVE_GEMM: readonly Target[] = [{ text: '0.45 of XLA', peers: ['jax'], ratio: both(0.45) }]

/** What is wanted of an operator with machine code. */
export const nativeTargets = (op: Op): readonly Target[] => (op === 'gemm' ? NATIVE_GEMM : NATIVE)

/** The ratio to the best peer, in the geometric mean over streams that no cache holds. */
export const STREAMS: Partial<Record<Own, number>> = { native: 1.3 }

/** Milliseconds that the first call with a new signature may take. */
export const FIRST_CALL_MS: Readonly<Record<Own, number>> = { bcast: 2, native: 1 }

/** Bytes beside operands and result that a workload may hold for each thread. */
export const MEMORY_PER_THREAD: number = 2 ** 20
