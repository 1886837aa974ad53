import type { Entry } from './entry.ts'

export const candleMessages: readonly Entry[] = [
  {
    source: 'candle, error.rs: BroadcastIncompatibleShapes',
    text: 'Error: cannot broadcast [129, 129] to [1, 28, 129, 288]',
    form: 'broadcast_as',
    shapes: [
      [1, 28, 129, 288],
      [129, 129],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'candle, error.rs: ShapeMismatchBinaryOp of a function that broadcasts',
    text: 'called `Result::unwrap()` on an `Err` value: shape mismatch in broadcast_add, lhs: [1, 3, 8], rhs: [3]',
    form: 'operator',
    shapes: [[1, 3, 8], [3]],
  },
  {
    source: 'candle, error.rs: ShapeMismatchBinaryOp of a product',
    text: 'error: shape mismatch in matmul, lhs: [2, 3], rhs: [2, 3]',
    form: 'operator',
    about: 'matrix product',
  },
  {
    source: 'candle, error.rs: ShapeMismatchBinaryOp of a reshape',
    text: 'Error: shape mismatch in reshape, lhs: [6], rhs: [4]',
    form: 'operator',
    about: 'reshape',
  },
  {
    source: 'candle, error.rs: ShapeMismatchCat',
    text: 'Error: shape mismatch in cat for dim 0, shape for arg 1: [2, 3] shape for arg 2: [2, 4]',
    form: 'cat',
    about: 'concatenation',
  },
  {
    source: 'huggingface/candle#478',
    text: '`ShapeMismatchBinaryOp { lhs: [4, 8, 32], rhs: [8, 32], op: "add" }`',
    form: 'operator in a panic',
    shapes: [
      [4, 8, 32],
      [8, 32],
    ],
    rule: 'none',
  },
  {
    source: 'huggingface/candle#811',
    text: "thread 'main' panicked at 'called `Result::unwrap()` on an `Err` value: ShapeMismatchBinaryOp { lhs: [2, 4, 1], rhs: [1, 3], op: \"matmul\" }'",
    form: 'operator in a panic',
    about: 'matrix product',
  },
  {
    source: 'tracel-ai/burn-lm#25',
    text: 'called `Result::unwrap()` on an `Err` value: shape mismatch in where_cond, lhs: [1, 1, 13, 13], rhs: [1, 32, 13, 13]',
    form: 'operator',
    shapes: [
      [1, 1, 13, 13],
      [1, 32, 13, 13],
    ],
    rule: 'none',
  },
]
