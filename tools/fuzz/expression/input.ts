// The expression with a given number: made by the grammar, then damaged; or of words thrown together; or of any bytes.
import { operators } from '../../../packages/cli/src/expression/operators.ts'
import { makeRandom, type Random } from '../../../testing/random.ts'

const INFIXES = '+ - * / // % ** < <= == != >= > & | ^ << >> && || and or xor'.split(' ')
const PREFIXES = ['-', '~', '!', 'not ', '+']
const NAMES = ['a', 'b', 'c', 'mean']
const NUMBERS = '0 1 2.5 .5 1. 1e400 0xFF 0b1 0o7 nan inf 300 -1 18446744073709551615 99999999999999999999 1_0'.split(
  ' ',
)
const TYPES = 'float16 bfloat16 float32 float64 int8 int64 uint8 uint64 bool'.split(' ')
const NOISE = [
  '(',
  ')',
  ',',
  ' ',
  '\n',
  "'",
  '"',
  '.',
  '=',
  '__',
  '0x',
  '$',
  'é',
  '𝕏',
  '\ud800',
  '\0',
  '\u202e',
  '…',
  'string',
]

function grown(random: Random, depth: number): string {
  if (depth <= 0 || random.chance(0.15)) {
    const leaf = random.below(10)
    return leaf < 6 ? random.pick(NAMES) : leaf < 9 ? random.pick(NUMBERS) : random.pick(['true', 'False'])
  }
  const part = (): string => grown(random, depth - 1)
  switch (random.below(6)) {
    case 0:
      return `${random.pick(PREFIXES)}${part()}`
    case 1:
    case 2:
      return `${part()} ${random.pick(INFIXES)} ${part()}`
    case 3:
      return `(${part()})`
    case 4: {
      const { name, least, most } = random.pick([...operators.values()])
      const count = random.chance(0.05) ? random.below(5) : Math.min(most, least + random.below(3))
      return `${name}(${Array.from({ length: count }, part).join(', ')})`
    }
    default:
      return random.chance(0.5) ? `${random.pick(TYPES)}(${part()})` : `cast(${part()}, ${random.pick(TYPES)})`
  }
}

function damaged(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.below(4))
    case 1:
      return text.slice(0, at) + random.pick([...NOISE, ...INFIXES, ...NAMES, ...NUMBERS]) + text.slice(at)
    case 2:
      return text.slice(0, at)
    default:
      return text.slice(at) + text.slice(0, at)
  }
}

export function makeExpression(seed: number, index: number): string {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const kind = random.below(20)
  if (kind === 0) return String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.bits() & 0xffff))
  if (kind === 1) return random.pick([...NOISE, ...INFIXES, ...PREFIXES, 'max(', 'int8(']).repeat(random.below(3000))
  if (kind === 2) {
    const words = [...NOISE, ...INFIXES, ...NAMES, ...NUMBERS, ...TYPES, 'max(', 'where(']
    return Array.from({ length: random.below(30) }, () => random.pick(words)).join(random.pick(['', ' ']))
  }
  let text = grown(random, random.below(7))
  for (let i = kind < 12 ? 0 : random.below(4); i > 0; i--) text = damaged(random, text)
  return text
}
