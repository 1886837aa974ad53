// How programs that no kernel can hold are split: every pass fits, reads what is there, and nothing is lost.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Builder, type Program } from '../../src/expr/ir.ts'
import { verify } from '../../src/expr/verify.ts'
import { fits } from '../../src/plan/fits.ts'
import { type Pass, passesOf } from '../../src/plan/passes.ts'

/** Elements of int32 by a program, one at a time, in the plainest way. */
function valueBy({ code }: Program, inputs: readonly number[]): number {
  const values: number[] = []
  for (const { op, args, value } of code) {
    const [a, b] = args.map((arg) => values[arg]!)
    if (op === 'input') values.push(inputs[value as number]!)
    else if (op === 'constant') values.push(value as number)
    else if (op === 'add') values.push((a! + b!) | 0)
    else if (op === 'sub') values.push((a! - b!) | 0)
    else if (op === 'mul') values.push(Math.imul(a!, b!))
    else if (op === 'cast') values.push(a!)
    else throw new Error(op)
  }
  return values.at(-1)!
}

/** The same by the passes of a program. */
function valueInPasses(passes: readonly Pass[], inputs: readonly number[]): number {
  const left: number[] = []
  for (const { program, sources } of passes) {
    const given = sources.map((source) => ('pass' in source ? left[source.pass]! : inputs[source.operand]!))
    left.push(valueBy(program, given))
  }
  return left.at(-1)!
}

interface Choice {
  readonly op: 'add' | 'sub' | 'mul'
  readonly a: number
  readonly b: number
}

/** A program of so many instructions over so many operands; `reach` is how far back an instruction looks. */
function programOf(inputs: number, choices: readonly Choice[], reach: number): Program {
  const b = new Builder(Array.from({ length: inputs }, () => 'int32' as const))
  const values = Array.from({ length: inputs }, (_, i) => b.input(i))
  for (const [i, { op, a, b: other }] of choices.entries()) {
    const back = (at: number): number => values.at(-1 - (at % Math.min(reach, values.length)))!
    const second = i % 7 === 0 ? b.constant('int32', i) : back(other)
    values.push(b.op(op, back(a), second))
  }
  // All that is left over, so that every value counts.
  const sum = values.slice(-reach).reduce((total, value) => b.op('add', total, value))
  return verify(b.program(b.op('sub', sum, values[0]!)))
}

const choices = (most: number): fc.Arbitrary<Choice[]> =>
  fc.array(fc.record({ op: fc.constantFrom('add', 'sub', 'mul'), a: fc.nat(), b: fc.nat() }), {
    minLength: most / 2,
    maxLength: most,
    size: 'max',
  })

/** What is wrong with the passes of a program. */
function* complaintsAbout(passes: readonly Pass[]): Generator<string> {
  const lastReaders = passes.map((_, i) => i)
  for (const [i, { program, sources }] of passes.entries()) {
    verify(program)
    if (!fits(program)) yield `pass ${i} does not fit`
    if (sources.length !== program.inputs.length) yield `pass ${i} has ${sources.length} sources`
    for (const source of sources) {
      if (!('pass' in source)) continue
      if (source.pass >= i) yield `pass ${i} reads pass ${source.pass}`
      lastReaders[source.pass] = i
    }
  }
  for (const [i, { lastReader }] of passes.entries()) {
    if (lastReader !== lastReaders[i]) yield `pass ${i} is read until ${lastReaders[i]}, not ${lastReader}`
    if (lastReader === i && i < passes.length - 1) yield `pass ${i} is wanted by nobody`
  }
}

function expectSound(program: Program): readonly Pass[] {
  const passes = passesOf(program)!
  expect([...complaintsAbout(passes)]).toEqual([])
  return passes
}

describe('a program that a kernel can hold', () => {
  it('is not split', () => {
    const b = new Builder(['float32', 'float32'])
    expect(passesOf(b.program(b.op('add', b.input(0), b.input(1))))).toBeUndefined()
  })

  it('nor is one with strings, which no kernel computes', () => {
    const b = new Builder(Array.from({ length: 40 }, () => 'string' as const))
    const equals = Array.from({ length: 39 }, (_, i) => b.compare('equal', b.input(i), b.input(i + 1)))
    expect(passesOf(b.program(equals.reduce((all, value) => b.op('and', all, value))))).toBeUndefined()
  })
})

describe('a program that is too large', () => {
  it('of many operands is split after as many as fit', () => {
    const b = new Builder(Array.from({ length: 40 }, () => 'int32' as const))
    const sum = Array.from({ length: 40 }, (_, i) => b.input(i)).reduce((total, value) => b.op('add', total, value))
    const passes = expectSound(b.program(sum))
    expect(passes.map(({ program }) => program.inputs.length)).toEqual([32, 9])
  })

  it('of one long chain leaves one value from pass to pass', () => {
    const b = new Builder(['int32'])
    let value = b.input(0)
    for (let i = 0; i < 10_000; i++) value = b.op('add', b.op('mul', value, b.constant('int32', 3)), b.input(0))
    const passes = expectSound(b.program(value))
    expect(passes.every(({ sources }) => sources.length <= 2)).toBe(true)
    expect(passes.length).toBeLessThan(30)
    // Passes that do the same are one program, which is compiled once.
    expect(new Set(passes.map(({ program }) => program)).size).toBeLessThan(4)
  })

  it('of many values that are summed at the end keeps few of them at a time', () => {
    const b = new Builder(['int32'])
    const x = b.input(0)
    const terms = Array.from({ length: 2000 }, (_, i) =>
      b.op('mul', b.op('add', x, b.constant('int32', i)), b.op('sub', x, b.constant('int32', i))),
    )
    const passes = expectSound(b.program(terms.reduce((total, term) => b.op('add', total, term))))
    expect(passes.every(({ sources }) => sources.length <= 2)).toBe(true)
    const elements = [3, -7]
    for (const element of elements) {
      expect(valueInPasses(passes, [element])).toBe(
        valueBy(b.program(terms.reduce((total, term) => b.op('add', total, term))), [element]),
      )
    }
  })

  it('gives what it gave, whatever it is made of', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 80 }),
      choices(4000),
      fc.constantFrom(1, 2, 8, 60, 1000),
      fc.array(fc.integer(), { minLength: 80, maxLength: 80 }),
      (inputs, chosen, reach, elements) => {
        const program = programOf(inputs, chosen, reach)
        const passes = passesOf(program)
        if (passes === undefined) return
        expectSound(program)
        expect(valueInPasses(passes, elements)).toBe(valueBy(program, elements))
      },
    )
    // A failing program of thousands of instructions would be shrunk for hours.
    fc.assert(property, { numRuns: 20, endOnFailure: true })
  })
})
