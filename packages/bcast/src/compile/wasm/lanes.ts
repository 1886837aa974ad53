// What SIMD lacks, done lane by lane on scalars: integer division and powers, shifts by different amounts, remainders
// of floats. Lanes past the row's end are computed too and must neither trap nor count as faults.
import { type DType, kindOf } from '../../dtype/dtype.ts'
import type { Local } from './assembler.ts'
import {
  bytesOf,
  eachPart,
  integerLanes,
  isUniform,
  partAt,
  resize,
  splatBytes,
  type Vector,
  type Writer,
} from './vector.ts'

const sign = (dtype: DType): 's' | 'u' => (kindOf(dtype) === 'int' ? 's' : 'u')

/** Runs `compute` for each lane on scalars: it gets i32 or i64 locals and must leave one on the stack. */
function laneByLane(
  w: Writer,
  dtype: DType,
  operands: readonly Vector[],
  compute: (values: readonly Local[], lane: number) => void,
): Vector {
  const { asm } = w
  const width = bytesOf(dtype)
  const lanes = integerLanes(width)
  const scalar = width === 8 ? 'i64' : 'i32'
  const extract = width >= 4 ? `${lanes}.extract_lane` : `${lanes}.extract_lane_${sign(dtype)}`
  const values = operands.map(() => asm.local(scalar))
  const uniform = operands.every(isUniform)
  const count = uniform ? 1 : Math.max(...operands.map(({ parts }) => parts.length))
  const parts = Array.from({ length: count }, (_, i) => {
    const result = asm.local('v128')
    const perPart = uniform ? 1 : Math.min(16 / width, w.lanes)
    for (let lane = 0; lane < perPart; lane++) {
      operands.forEach((operand, o) => {
        asm.get(partAt(operand, i)).lane(extract, lane).set(values[o]!)
      })
      if (!uniform) asm.get(result)
      compute(values, uniform ? 0 : (i * 16) / width + lane)
      if (uniform) asm.op(`${lanes}.splat`)
      else asm.lane(`${lanes}.replace_lane`, lane)
      asm.set(result)
    }
    return result
  })
  return { width, parts, uniform }
}

/** Integer division and its rests. A zero divisor in a lane that counts sets the fault and is replaced by 1. */
export function divide(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const wide = bytesOf(dtype) === 8
  const t = wide ? 'i64' : 'i32'
  const signed = sign(dtype) === 's'
  const number = (value: number) => (wide ? asm.i64(BigInt(value)) : asm.i32(value))
  const quotient = asm.local(t)
  const rest = asm.local(t)
  return laneByLane(w, dtype, operands, ([a, b], lane) => {
    asm
      .get(b!)
      .op(`${t}.eqz`)
      .if(() => {
        asm.get(w.left).i32(lane).op('i32.gt_s').get(w.fault).op('i32.or').set(w.fault)
        number(1).set(b!)
      })
    if (!signed) {
      asm
        .get(a!)
        .get(b!)
        .op(op === 'div' || op === 'floorDiv' ? `${t}.div_u` : `${t}.rem_u`)
      return
    }
    asm.get(a!).get(b!).op(`${t}.rem_s`).set(rest)
    const roundedDown = () => {
      asm.get(rest).op(`${t}.eqz`).op('i32.eqz').get(rest).get(b!).op(`${t}.xor`)
      return number(0).op(`${t}.lt_s`).op('i32.and')
    }
    if (op === 'rem' || op === 'mod') {
      if (op === 'mod') roundedDown().if(() => asm.get(rest).get(b!).op(`${t}.add`).set(rest))
      asm.get(rest)
      return
    }
    // MIN / -1 is the one quotient that does not fit and traps; negating wraps as decided.
    asm.get(b!)
    number(-1)
      .op(`${t}.eq`)
      .if(
        () => number(0).get(a!).op(`${t}.sub`).set(quotient),
        () => asm.get(a!).get(b!).op(`${t}.div_s`).set(quotient),
      )
    if (op === 'floorDiv') {
      roundedDown().if(() => {
        asm.get(quotient)
        number(1).op(`${t}.sub`).set(quotient)
      })
    }
    asm.get(quotient)
  })
}

/** Shifts by amounts that may differ from lane to lane; amounts lie within the type's width. */
export function shift(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const [x, amount] = operands as [Vector, Vector]
  const width = bytesOf(dtype)
  const lanes = integerLanes(width)
  if (amount.uniform) {
    const count = asm.local('i32')
    asm.get(amount.parts[0]!)
    if (width === 8) asm.lane('i64x2.extract_lane', 0).op('i32.wrap_i64').set(count)
    else asm.lane(width === 4 ? 'i32x4.extract_lane' : `${lanes}.extract_lane_u`, 0).set(count)
    const name = op === 'shl' ? `${lanes}.shl` : `${lanes}.shr_${sign(dtype)}`
    return eachPart(w, [x], width, ([a]) => asm.get(a!).get(count).op(name))
  }
  const t = width === 8 ? 'i64' : 'i32'
  return laneByLane(w, dtype, operands, ([a, b]) => {
    asm
      .get(a!)
      .get(b!)
      .op(op === 'shl' ? `${t}.shl` : `${t}.shr_${sign(dtype)}`)
  })
}

/** Integer powers by squaring, in words wide enough for both operands; the lower bytes are the power in the type. */
export function power(w: Writer, operands: readonly Vector[], [base, exponent]: readonly DType[]): Vector {
  const { asm } = w
  const wide = bytesOf(base!) === 8
  const width = wide ? 8 : 4
  const t = wide ? 'i64' : 'i32'
  const signed = kindOf(exponent!) === 'int'
  const words = operands.map((operand, i) => resize(w, operand, width, kindOf(i === 0 ? base! : exponent!) === 'int'))
  const number = (value: number) => (wide ? asm.i64(BigInt(value)) : asm.i32(value))
  const result = asm.local(t)
  const word: DType = wide ? 'int64' : 'int32'
  const powers = laneByLane(w, word, words, ([x, n], lane) => {
    number(1).set(result)
    if (signed) {
      asm.get(n!)
      number(0)
        .op(`${t}.lt_s`)
        .if(() => {
          asm
            .get(x!)
            .op(`${t}.eqz`)
            .get(w.left)
            .i32(lane)
            .op('i32.gt_s')
            .op('i32.and')
            .get(w.fault)
            .op('i32.or')
            .set(w.fault)
          // Only 1 and -1 have a whole reciprocal; their powers repeat with the exponent's parity.
          asm.get(x!)
          number(1).op(`${t}.eq`).get(x!)
          number(kindOf(base!) === 'int' ? -1 : 1)
            .op(`${t}.eq`)
            .op('i32.or')
            .if(
              () => {
                asm.get(n!)
                number(1).op(`${t}.and`).set(n!)
              },
              () => {
                number(0).set(result)
                number(0).set(n!)
              },
            )
        })
    }
    asm.block(() => {
      asm.loop(() => {
        asm.get(n!).op(`${t}.eqz`).brIf(1)
        asm.get(n!)
        number(1).op(`${t}.and`)
        if (wide) asm.op('i32.wrap_i64')
        asm.if(() => asm.get(result).get(x!).op(`${t}.mul`).set(result))
        asm.get(x!).get(x!).op(`${t}.mul`).set(x!)
        asm.get(n!)
        number(1).op(`${t}.shr_u`).set(n!)
        asm.br(0)
      })
    })
    asm.get(result)
  })
  return resize(w, powers, bytesOf(base!), false)
}

/** The remainder of floats. WebAssembly has none, so the platform's own is imported. */
export function floatRemainder(w: Writer, op: string, dtype: DType, operands: readonly Vector[]): Vector {
  const { asm } = w
  const single = dtype === 'float32'
  const lanes = single ? 'f32x4' : 'f64x2'
  const width = bytesOf(dtype)
  const [a, b] = operands as [Vector, Vector]
  const scalar = (part: Local, lane: number): void => {
    asm.get(part).lane(`${lanes}.extract_lane`, lane)
    if (single) asm.op('f64.promote_f32')
  }
  const rest = eachPart(w, [a, b], width, ([x, y]) => {
    const count = isUniform(a) && isUniform(b) ? 1 : 16 / width
    for (let lane = 0; lane < count; lane++) {
      scalar(x!, lane)
      scalar(y!, lane)
      asm.callRemainder()
      if (single) asm.op('f32.demote_f64')
      if (lane === 0) asm.op(`${lanes}.splat`)
      else asm.lane(`${lanes}.replace_lane`, lane)
    }
  })
  if (op === 'rem') return rest
  const none = w.constant(new Uint8Array(16))
  const signBit = w.constant(splatBytes(width, 1n << BigInt(8 * width - 1)))
  return eachPart(w, [rest, b], width, ([r, y]) => {
    // A zero rest takes the divisor's sign; a rest of the other sign moves by one divisor.
    asm.get(y!).get(signBit).op('v128.and')
    asm.get(r!).get(y!).op(`${lanes}.add`).get(r!)
    asm.get(r!).get(none).op(`${lanes}.lt`).get(y!).get(none).op(`${lanes}.lt`).op('v128.xor').op('v128.bitselect')
    asm.get(r!).get(none).op(`${lanes}.eq`).op('v128.bitselect')
  })
}
