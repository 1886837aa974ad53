// Validates a value against a JSON Schema: the keywords that the schemas of the packages use, every other one refused.

type Schema = Readonly<Record<string, unknown>>

const ignored = new Set(['$schema', 'title', 'description', 'definitions'])

const typeOf = (value: unknown): string[] => {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value]
}

/** Checks of one keyword each: the faults that a value has. */
type Keyword = (given: never, value: unknown, at: string, schema: Schema, root: Schema) => string[]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const passing = (schemas: readonly Schema[], value: unknown, root: Schema): number =>
  schemas.filter((each) => faults(value, each, root).length === 0).length

const fault = (wrong: boolean, at: string, what: string): string[] => (wrong ? [`${at} ${what}`] : [])

const keywords: Readonly<Record<string, Keyword>> = {
  $ref: (given: string, value, at, _, root) =>
    faults(value, (root['definitions'] as Record<string, Schema>)[given.split('/').at(-1)!]!, root, at),
  type: (given: string | readonly string[], value, at) =>
    fault(![given].flat().some((type) => typeOf(value).includes(type)), at, `is not of type ${given}`),
  const: (given: unknown, value, at) => fault(value !== given, at, `is not ${given}`),
  enum: (given: readonly unknown[], value, at) => fault(!given.includes(value), at, `is not in ${given}`),
  pattern: (given: string, value, at) =>
    fault(typeof value === 'string' && !new RegExp(given, 'u').test(value), at, `does not match ${given}`),
  minLength: (given: number, value, at) => fault(typeof value === 'string' && value.length < given, at, 'is short'),
  minimum: (given: number, value, at) => fault(typeof value === 'number' && value < given, at, `is below ${given}`),
  maximum: (given: number, value, at) => fault(typeof value === 'number' && value > given, at, `is above ${given}`),
  minItems: (given: number, value, at) => fault(Array.isArray(value) && value.length < given, at, 'has few items'),
  items: (given: Schema, value, at, _, root) =>
    Array.isArray(value) ? value.flatMap((item, i) => faults(item, given, root, `${at}[${i}]`)) : [],
  required: (given: readonly string[], value, at) =>
    given.flatMap((key) => fault(isObject(value) && !Object.hasOwn(value, key), at, `lacks ${key}`)),
  properties: (given: Readonly<Record<string, Schema>>, value, at, _, root) =>
    Object.entries(given).flatMap(([key, schema]) =>
      isObject(value) && Object.hasOwn(value, key) ? faults(value[key], schema, root, `${at}.${key}`) : [],
    ),
  additionalProperties: (given: boolean | Schema, value, at, schema, root) => {
    if (!isObject(value)) return []
    const others = Object.keys(value).filter((key) => !Object.hasOwn((schema['properties'] ?? {}) as object, key))
    if (typeof given === 'boolean') return others.flatMap((key) => fault(!given, at, `has ${key}`))
    return others.flatMap((key) => faults(value[key], given, root, `${at}.${key}`))
  },
  allOf: (given: readonly Schema[], value, at, _, root) => given.flatMap((each) => faults(value, each, root, at)),
  anyOf: (given: readonly Schema[], value, at, _, root) =>
    fault(passing(given, value, root) === 0, at, 'is like none of anyOf'),
  oneOf: (given: readonly Schema[], value, at, _, root) =>
    fault(passing(given, value, root) !== 1, at, 'is not like exactly one of oneOf'),
}

/** What is wrong with a value; empty when nothing is. */
export function faults(value: unknown, schema: Schema, root: Schema = schema, at = '$'): string[] {
  return Object.entries(schema).flatMap(([keyword, given]) => {
    if (ignored.has(keyword)) return []
    const check = keywords[keyword]
    if (check === undefined) throw new Error(`the schema has ${keyword}, which is not checked`)
    return check(given as never, value, at, schema, root)
  })
}
