// What one inference keeps while it goes: what was learned about sizes, the names of fresh symbols, and what it found.
import type { Rule, SymbolicShape } from 'bcast'
import {
  constant,
  type Dim,
  type DimLike,
  type DimShape,
  Facts,
  type Learned,
  type Meeting,
  meet,
  type SymbolBounds,
  solve,
} from '../dims/index.ts'
import type { ExternalFiles } from '../model/external.ts'
import type { Model } from '../model/model.ts'
import type { Node, Resolved } from '../model/scope.ts'
import type { ValueType } from '../model/value.ts'
import type { Frame } from './frame.ts'
import { type Known, type KnownTensor, MAX_RANK, optional, type Scalar, sequence, tensor, unknown } from './known.ts'

/** An operand of a broadcast. */
export interface Operand {
  /** What it is called: the name of the value, or words for what is computed on the way, as the product in Gemm. */
  readonly name: string
  readonly shape: DimShape
  /** Which input of the node it is; undefined for what is computed on the way. */
  readonly input: number | undefined
  /** Of a product, which inputs are multiplied. */
  readonly factors?: readonly [number, number]
  /** What defines the value; undefined where nothing does. */
  readonly producer: Resolved | undefined
}

/** A node that broadcasts, or would if its operands' shapes differed. */
export interface Broadcast {
  readonly node: Node
  readonly frame: Frame
  readonly rule: Rule
  readonly operands: readonly Operand[]
  readonly meeting: Meeting
}

/** A node that cannot be, whatever the sizes. */
export interface InferenceFinding {
  readonly node: Node
  readonly frame: Frame
  readonly message: string
}

/** Sizes that a node needs to be equal, though only some inputs make them so. */
export interface Requirement {
  readonly node: Node
  readonly frame: Frame
  readonly left: Dim
  readonly right: Dim
}

/** Facts beyond this number are not worth what they cost. */
const MAX_LEARNED = 1000

export class Context {
  readonly model: Model
  readonly files: ExternalFiles | undefined
  readonly facts: Facts
  readonly findings: InferenceFinding[] = []
  readonly broadcasts: Broadcast[] = []
  readonly requirements: Requirement[] = []
  /** Counts what was learned: known values of an earlier count are brought up to date when they are read. */
  version = 0
  /** How many nodes may still be met; functions that call functions could be without end. */
  budget: number
  readonly #freshNames = new Map<string, number>()
  readonly #named = new Map<string, Dim>()
  readonly #meetings = new Map<string, Meeting>()

  constructor(model: Model, usual: SymbolBounds, files: ExternalFiles | undefined, budget: number) {
    this.model = model
    this.files = files
    this.facts = new Facts(usual)
    this.budget = budget
  }

  /** A symbol like no other; data decides it, so that it may be 0 unless bounds say otherwise. */
  fresh(name: string, bounds: SymbolBounds = { min: 0 }): Dim {
    const count = (this.#freshNames.get(name) ?? 0) + 1
    this.#freshNames.set(name, count)
    return this.facts.fresh(count === 1 ? name : `${name}_${count}`, bounds)
  }

  equate(a: DimLike, b: DimLike): Learned {
    if (this.version < MAX_LEARNED) return this.#noted(this.facts.equate(a, b))
    const solution = solve(this.facts.apply(a), this.facts.apply(b))?.kind
    return solution === 'never' ? 'contradiction' : solution === 'always' ? 'known' : 'open'
  }

  atLeast(dim: Dim, least: bigint): Learned {
    return this.#noted(this.version < MAX_LEARNED ? this.facts.atLeast(dim, least) : 'open')
  }

  #noted(learned: Learned): Learned {
    if (learned === 'learned') {
      this.version++
      this.#meetings.clear()
    }
    return learned
  }

  /** How shapes meet; most nodes of a model ask for what another one has asked. */
  meet(shapes: readonly DimShape[], rule: Rule): Meeting {
    const key = `${rule.label}:${shapes.map((shape) => shape?.map((dim) => dim.key).join(',') ?? '?').join(';')}`
    let meeting = this.#meetings.get(key)
    if (meeting === undefined) {
      meeting = meet(shapes, { broadcast: rule })
      this.#meetings.set(key, meeting)
    }
    return meeting
  }

  /** The value with everything put in that was learned. */
  current(known: Known): Known {
    if (this.version === 0) return known
    if (known.kind === 'tensor') return this.#currentTensor(known)
    if (known.kind === 'sequence') {
      const elements = known.elements?.map((element) => this.current(element))
      return sequence(this.current(known.of), this.facts.apply(known.length), elements)
    }
    return known.kind === 'unknown' ? known : { ...known, of: this.current(known.of) }
  }

  #currentTensor(known: KnownTensor): KnownTensor {
    const shape = known.shape?.map((dim) => this.facts.apply(dim)) ?? null
    const values = known.values?.map((value) => (isSymbolic(value) ? this.facts.apply(value) : value))
    const changed =
      shape?.some((dim, axis) => dim !== known.shape![axis]) === true ||
      values?.some((value, i) => value !== known.values![i]) === true
    return changed ? { ...known, shape, values } : known
  }

  /** What a declared type says; sizes without a name are symbols named after the value. */
  declared(type: ValueType, name: string, bounds: SymbolBounds): Known {
    switch (type.kind) {
      case 'tensor':
        return tensor(type.element, this.shape(type.shape, name, bounds))
      case 'sequence':
        return sequence(this.declared(type.of, name, { min: 0 }), this.fresh(`${name}.length`))
      case 'optional':
        return optional(this.declared(type.of, name, bounds), undefined)
      case 'map':
        return { kind: 'map', key: type.key, of: this.declared(type.of, name, { min: 0 }) }
      default:
        return unknown
    }
  }

  shape(shape: SymbolicShape, name: string, bounds: SymbolBounds): DimShape {
    if (shape === null || shape.length > MAX_RANK) return null
    return shape.map((size, axis) => {
      if (typeof size === 'number') return constant(size)
      return typeof size === 'string' ? this.named(size, bounds) : this.fresh(`${name}.${axis}`, size ?? bounds)
    })
  }

  /** Says what a name in the file stands for. */
  name(name: string, dim: Dim): void {
    this.#named.set(name, dim)
  }

  /** The symbol of a name in the file; bounds count where the name is met for the first time. */
  named(name: string, bounds: SymbolBounds): Dim {
    const known = this.#named.get(name)
    if (known !== undefined) return this.facts.apply(known)
    const made = this.facts.fresh(name, bounds)
    this.#named.set(name, made)
    return made
  }
}

const isSymbolic = (value: Scalar): value is Dim =>
  value !== null && typeof value !== 'number' && value.terms.some(({ monomial }) => monomial.degree > 0)
