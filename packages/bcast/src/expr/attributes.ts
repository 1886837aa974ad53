// What a call may say beside its operands. An attribute is a fact of its operator, with a check and a default, so that
// functions, methods, files and models all take the same ones and refuse the same ones.

/** Attributes by name, as a call gives them or as a program is built with them. */
export interface Attributes {
  readonly [name: string]: unknown
}

/** What the standards say of an attribute where they differ from bcast. */
interface InStandards<V> {
  /** ONNX has no such attribute. */
  readonly onnx?: false
  /** What OpenVINO takes where nothing is said. */
  readonly openvino?: V
}

/** True or false. */
export interface Flag extends InStandards<boolean> {
  readonly kind: 'flag'
  readonly default: boolean
}

/** One of several words. */
export interface Choice<V extends string = string> extends InStandards<V> {
  readonly kind: 'choice'
  readonly values: readonly V[]
  /** Without one it has to be said. */
  readonly default?: V
}

/** Any number; it is rounded to the type that the operator computes in. */
export interface NumberAttribute extends InStandards<number> {
  readonly kind: 'number'
  readonly default: number
}

/** What an operator's attribute may be. */
export type Attribute = Flag | Choice | NumberAttribute

/** The fact about an attribute of a type. */
type FactOf<V> = [V] extends [boolean]
  ? Flag
  : [V] extends [number]
    ? NumberAttribute
    : [V] extends [string]
      ? Choice<V>
      : Attribute

/** The facts about the attributes that options of a type may hold. */
export type FactsOf<A> = { readonly [N in keyof A]-?: FactOf<Exclude<A[N], undefined>> }

/** Attributes with every default filled in. */
export type Settled<A> = { readonly [N in keyof A]-?: Exclude<A[N], undefined> }

export const FLAG: Flag = { kind: 'flag', default: false }

/** What an attribute may be, in words; undefined where a value is that. */
export function misfit(attribute: Attribute, value: unknown): string | undefined {
  if (value === undefined && attribute.default !== undefined) return undefined
  switch (attribute.kind) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'number':
      return typeof value === 'number' ? undefined : 'a number'
    case 'choice':
      return attribute.values.some((each) => each === value)
        ? undefined
        : attribute.values.map((each) => `'${each}'`).join(' or ')
  }
}

/** The attributes that a program is built with: those that are given, and defaults. */
export function withDefaults(facts: FactsOf<Attributes> | undefined, given: Attributes): Attributes {
  if (facts === undefined) return given
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, given[name] ?? fact.default]))
}

/** What tells attributes from others; JSON would take one infinity for another, and -0 for 0. */
export const attributesKey = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}=${Object.is(value, -0) ? '-0' : String(value)}`)
    .join()
