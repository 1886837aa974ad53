// What a row sees of the node it infers: inputs, attributes, and ways to say what follows. See row.ts.
import type { Rule } from 'bcast'
import {
  bounds as boundsOf,
  constantOf,
  type Dim,
  type DimLike,
  type DimShape,
  format,
  type Meeting,
  type SymbolBounds,
  solve,
  toDim,
} from '../dims/index.ts'
import type { Attributes } from '../model/attributes.ts'
import type { ElementType } from '../model/element-type.ts'
import type { ExternalFiles } from '../model/external.ts'
import { type Graph, type Node, resolve } from '../model/scope.ts'
import type { Context, Operand } from './context.ts'
import type { OpenFrame } from './frame.ts'
import { dimOfScalar, type Known, type KnownTensor, MAX_VALUES, numberOfScalar, tensor } from './known.ts'

/** Ends a row: the node cannot be. */
export class Impossible extends Error {}

/** Different open shapes that one broadcast looks at: each is compared with every other one. */
const MOST_OPEN_SHAPES = 64

/** The operands; shapes that are open and different from too many others count as not known. */
function considered(operands: readonly Operand[]): readonly Operand[] {
  if (operands.length <= MOST_OPEN_SHAPES) return operands
  const open = new Set<string>()
  return operands.map((operand) => {
    if (operand.shape?.every((dim) => constantOf(dim) !== undefined) ?? true) return operand
    open.add(operand.shape!.map(({ key }) => key).join())
    return open.size <= MOST_OPEN_SHAPES ? operand : { ...operand, shape: null }
  })
}

/** In which runs that reach a node it enters a graph; a graph that it never enters still tells types. */
export type Entry = 'always' | 'perhaps' | 'never'

/** How a node enters a graph: the walk does it. */
export type Enter = (call: Call, graph: Graph, inputs: readonly Known[], entry: Entry) => readonly Known[]

export class Call {
  readonly node: Node
  /** The version of the operator set that the node means. */
  readonly opset: number
  /** With references to attributes of a function resolved. */
  readonly attributes: Attributes<Graph>
  /** Undefined where an optional input is left out. */
  readonly inputs: readonly (Known | undefined)[]
  readonly frame: OpenFrame
  readonly #context: Context
  readonly #enter: Enter

  constructor(
    node: Node,
    opset: number,
    attributes: Attributes<Graph>,
    inputs: readonly (Known | undefined)[],
    frame: OpenFrame,
    context: Context,
    enter: Enter,
  ) {
    this.node = node
    this.opset = opset
    this.attributes = attributes
    this.inputs = inputs
    this.frame = frame
    this.#context = context
    this.#enter = enter
  }

  /** Where external data lies. */
  get files(): ExternalFiles | undefined {
    return this.#context.files
  }

  /** How many outputs the node names, those left out before the last included. */
  get outputCount(): number {
    return this.node.outputs.length
  }

  /** Whether output i has a name, so that somebody may want it. */
  wants(i: number): boolean {
    return (this.node.outputs[i] ?? '') !== ''
  }

  has(i: number): boolean {
    return this.inputs[i] !== undefined
  }

  /** Input i; the node fails without it. */
  input(i: number): Known {
    return this.inputs[i] ?? this.fail(`input ${i} is missing.`)
  }

  /** Input i as a tensor, of unknown rank if nothing is known; the node fails if it is missing or no tensor. */
  tensor(i: number): KnownTensor {
    const known = this.input(i)
    if (known.kind === 'unknown') return tensor(undefined, null)
    return known.kind === 'tensor' ? known : this.fail(`input ${i} is a ${known.kind}, not a tensor.`)
  }

  /** Input i as a tensor, undefined if it is left out. */
  optional(i: number): KnownTensor | undefined {
    return this.has(i) ? this.tensor(i) : undefined
  }

  shape(i: number): DimShape {
    return this.tensor(i).shape
  }

  /** The shape of input i, whose rank must be one of these; null if it is not known. */
  ranked(i: number, least: number, most: number = Number.POSITIVE_INFINITY): DimShape {
    const { shape } = this.tensor(i)
    if (shape !== null && (shape.length < least || shape.length > most)) {
      const range =
        most === least ? `${least}` : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`
      return this.fail(`input ${i} has rank ${shape.length}; it must be ${range}.`)
    }
    return shape
  }

  element(i: number): ElementType | undefined {
    return this.tensor(i).element
  }

  /** The elements of input i as integers, null for each that is not known; undefined when none is, or it is left out. */
  dims(i: number): readonly (Dim | null)[] | undefined {
    return this.optional(i)?.values?.map(dimOfScalar)
  }

  /** The elements of input i as numbers; undefined unless all are known. */
  numbers(i: number): readonly number[] | undefined {
    const numbers = this.optional(i)?.values?.map(numberOfScalar)
    return numbers?.every((value) => value !== undefined) ? (numbers as number[]) : undefined
  }

  /** How many elements input i has, if its shape is made of numbers. */
  count(i: number): number | undefined {
    const shape = this.optional(i)?.shape
    if (shape === null || shape === undefined) return undefined
    let count = 1n
    for (const dim of shape) {
      const size = constantOf(dim)
      if (size === undefined) return undefined
      count *= size
    }
    return Number(count)
  }

  /** An axis counted from the front; negative ones count from the end. The node fails if there is no such axis. */
  axis(axis: number, rank: number): number {
    if (axis < -rank || axis >= rank) return this.fail(`axis ${axis} is outside rank ${rank}.`)
    return axis < 0 ? axis + rank : axis
  }

  /** A size that data decides, named after the first output. At least 0 unless bounds say otherwise. */
  fresh(hint: string | number, bounds?: SymbolBounds): Dim {
    return this.#context.fresh(`${this.node.outputs.find((name) => name !== '') ?? this.node.opType}.${hint}`, bounds)
  }

  /** A value as a size: itself, or a fresh size where it is not known. The node fails if it is negative for certain. */
  size(value: Dim | null | undefined, hint: string | number, bounds?: SymbolBounds): Dim {
    if (value === null || value === undefined) return this.fresh(hint, bounds)
    const range = boundsOf(value)
    if (range.max < 0) return this.fail(`a size would be ${format(value)}.`)
    this.learnAtLeast(value, 0n, () => `a size would be ${format(value)}.`)
    return value
  }

  /** A shape of sizes that are not known, but for those that are given; null when there are too many. */
  freshShape(rank: number, known?: (axis: number) => Dim | null | undefined): DimShape {
    if (rank > MAX_VALUES) return null
    return Array.from({ length: Math.max(rank, 0) }, (_, axis) => known?.(axis) ?? this.fresh(axis))
  }

  /** What an attribute that holds a type says. */
  declared(attribute: string): Known {
    return this.#context.declared(this.attributes.type(attribute), `${this.node.outputs[0]}`, { min: 0 })
  }

  /** Ends the row: the node cannot be, whatever the sizes. */
  fail(message: string): never {
    throw new Impossible(message)
  }

  /** The sizes are equal in every run that works; the node fails if they never are. */
  learn(a: DimLike, b: DimLike, message: () => string): void {
    // What a branch needs says nothing about runs that do not take it.
    const learned = this.frame.certain ? this.#context.equate(a, b) : solve(a, b)?.kind
    if (learned === 'contradiction' || learned === 'never') this.fail(message())
    if (learned === 'known' || learned === 'always') return
    const { node, frame } = this
    this.#context.requirements.push({ node, frame, left: toDim(a), right: toDim(b) })
  }

  /** The Dim is at least this in every run that works; the node fails if it never is. */
  learnAtLeast(dim: Dim, least: bigint, message: () => string): void {
    if (this.frame.certain && this.#context.atLeast(dim, least) === 'contradiction') this.fail(message())
  }

  /** Input i as an operand of a broadcast. */
  operand(i: number): Operand {
    const name = this.node.inputs[i]!
    return { name, shape: this.shape(i), input: i, producer: resolve(this.node.scope, name) }
  }

  /** Whether a rule lets operands meet, for some sizes at least; nothing is kept. */
  canMeet(operands: readonly Operand[], rule: Rule): boolean {
    const shapes = operands.map(({ shape }) => shape)
    return this.#context.meet(shapes, rule).verdict !== 'error'
  }

  /** What the rule makes of operands' shapes; one-way rules keep the first. The verdict is kept. */
  broadcast(given: readonly Operand[], rule: Rule): DimShape {
    const { node, frame } = this
    const operands = considered(given)
    const meeting = this.#context.meet(
      operands.map(({ shape }) => shape),
      rule,
    )
    this.#context.broadcasts.push({ node, frame, rule, operands, meeting })
    if (meeting.shape === undefined) return this.fail(meeting.failure!)
    this.#learnConditions(meeting)
    return meeting.shape?.map((dim, axis) => dim ?? this.fresh(axis)) ?? null
  }

  #learnConditions({ conditions }: Meeting): void {
    if (!this.frame.certain) return
    for (const { anyOf } of conditions) {
      const [only, ...others] = anyOf
      if (others.length === 0 && only?.kind === 'equal') this.#context.equate(only.left, only.right)
    }
  }

  /**
   * What a graph of an attribute makes of inputs; entered again, it starts anew. Of one that is never entered nothing is
   * kept.
   */
  enter(graph: Graph, inputs: readonly Known[], entry: Entry): readonly Known[] {
    return this.#enter(this, graph, inputs, entry)
  }
}
