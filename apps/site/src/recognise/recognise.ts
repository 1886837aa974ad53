// What a text in the field is: shapes, an expression with the sizes of its arrays, or an error message. It looks at the
// form alone; whether it makes sense is for who reads it.

export type Recognised =
  | { readonly kind: 'empty' }
  | { readonly kind: 'shapes'; readonly shapes: readonly string[] }
  | { readonly kind: 'expression'; readonly expression: string; readonly arrays: readonly NamedShape[] }
  | { readonly kind: 'message'; readonly text: string }

/** `x=1000,3` */
export interface NamedShape {
  readonly name: string
  readonly shape: string
}

/** Texts beyond this are no shapes, and no expression that anyone types. */
const MOST_TYPED = 4000

const SHAPE = String.raw`(?:\([^()]*\)|\[[^\[\]]*\]|[\w?.…]+(?:\s*,\s*[\w?.…]+)*,?)`
const ARRAY = String.raw`([A-Za-z_]\w*)\s*[=:]\s*(${SHAPE})`
const ARRAYS = new RegExp(String.raw`(?:^|[\s;,])\s*${ARRAY}(?=\s*$|[\s;,]+[A-Za-z_]\w*\s*[=:][^=])`, 'y')

/** Words between shapes: `(2,3) and (3,)`. */
const BETWEEN = /\s*(?:;|\+|\bwith\b|\band\b|\bvs\.?(?=\s)|\s)\s*/y
const ONE_SHAPE = new RegExp(SHAPE, 'y')

/** A name by itself is short; longer words are a text. */
const isPlausible = (shape: string): boolean => /[\d?,()[\]…]/.test(shape) || /^[A-Za-z]\w?$/.test(shape)

function shapesIn(text: string): string[] | undefined {
  const found: string[] = []
  let at = 0
  while (at < text.length) {
    ONE_SHAPE.lastIndex = at
    const shape = ONE_SHAPE.exec(text)?.[0]
    if (shape === undefined || !isPlausible(shape)) return undefined
    found.push(shape)
    at += shape.length
    if (at === text.length) break
    BETWEEN.lastIndex = at
    const between = BETWEEN.exec(text)?.[0]
    // Brackets part shapes by themselves: (2,3)(3,1), and a comma behind one: (2,3), (3,1).
    const comma = /^\s*,?\s*(?=[([])/.exec(text.slice(at))?.[0]
    if (comma?.includes(',')) at += comma.length
    else if (between !== undefined && between !== '') at += between.length
    else if (comma === undefined) return undefined
  }
  return found
}

/** The arrays at the end of a text, and where the first begins. */
function arraysIn(text: string): { readonly from: number; readonly arrays: NamedShape[] } | undefined {
  for (const { index } of text.matchAll(/(?:^|[\s;,])\s*[A-Za-z_]\w*\s*[=:](?!=)/g)) {
    const arrays: NamedShape[] = []
    ARRAYS.lastIndex = index
    for (let match = ARRAYS.exec(text); match !== null; match = ARRAYS.exec(text)) {
      arrays.push({ name: match[1]!, shape: match[2]! })
      if (text.slice(ARRAYS.lastIndex).trim() === '') return { from: index, arrays }
    }
  }
  return undefined
}

/** Shapes as frameworks print them: `torch.Size([2, 3])`, `a.shape=(2, 3)`, `2×3`. */
const asTyped = (text: string): string =>
  text
    .replace(/\b(?:torch\.Size|Size|tf\.TensorShape|TensorShape)\(\s*([([][^()[\]]*[)\]])\s*\)/g, '$1')
    .replace(/([A-Za-z_]\w*)\.(?:shape|size\(\))(?=\s*[=:])/g, '$1')
    .replace(/(?<=\d)\s*×\s*(?=\d)/g, 'x')

/** Shapes in brackets anywhere in a text: `why not (2,3) and (4,)?` */
export function shapesWithin(text: string): string[] {
  if (text.length > MOST_TYPED) return []
  const found = asTyped(text).match(/[([]\s*[\w?]{1,20}(?:\s*,\s*[\w?]{1,20})*\s*,?\s*[)\]]/g) ?? []
  return found.filter((shape) => /^.\s*[\d?]|,/.test(shape) && /\d/.test(shape))
}

export function recognise(given: string): Recognised {
  const text = given.trim()
  if (text === '') return { kind: 'empty' }
  if (text.length > MOST_TYPED) return { kind: 'message', text }
  const plain = asTyped(text)
  const shapes = shapesIn(plain)
  if (shapes !== undefined) return { kind: 'shapes', shapes }
  const named = arraysIn(plain)
  if (named?.from === 0 && named.arrays.length > 1 && named.arrays.every(({ shape }) => /[([,]/.test(shape)))
    return { kind: 'shapes', shapes: named.arrays.map(({ shape }) => shape) }
  const found = arraysIn(text)
  const expression = found === undefined ? '' : text.slice(0, found.from).replace(/[\s;,]+$/, '')
  // An expression has no sentence in it: words side by side.
  if (
    found !== undefined &&
    expression !== '' &&
    !/[A-Za-z]{2,}\s+(?!and\b|or\b|xor\b|not\b)[A-Za-z]{2,}/.test(expression)
  ) {
    return { kind: 'expression', expression, arrays: found.arrays }
  }
  return { kind: 'message', text }
}
