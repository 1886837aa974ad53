// Error messages of any framework in a text: one message, several, or a whole traceback with everything around it.
import { candleForms } from './candle.ts'
import { coremlForms } from './coreml.ts'
import { unreadFinding } from './findings.ts'
import { type Finding, type Form, type Found, type Framework, frameworks, type Parts, UnreadSize } from './form.ts'
import { jaxForms } from './jax.ts'
import { juliaForms } from './julia.ts'
import { matlabForms } from './matlab.ts'
import { mlxForms } from './mlx.ts'
import { numpyForms } from './numpy.ts'
import { octaveForms } from './octave.ts'
import { onnxruntimeForms } from './onnxruntime.ts'
import { openvinoForms } from './openvino.ts'
import { paddleForms } from './paddle.ts'
import { tensorflowForms } from './tensorflow.ts'
import { tensorrtForms } from './tensorrt.ts'
import { tfjsForms } from './tfjs.ts'
import { torchForms } from './torch.ts'

/** One message that was found. */
export interface Reading {
  readonly framework: Framework
  /** The wording, by the name of its form. */
  readonly form: string
  /** The message itself, out of the text. */
  readonly text: string
  /** The node or operator, or which operand is which, if the message says so. */
  readonly where: string | undefined
  readonly finding: Finding
  /** A shape with which the message goes on and that its form does not know. */
  readonly unread: string | undefined
}

/** By framework; in each the forms that say more come first. */
export const forms: Readonly<Record<Framework, readonly Form[]>> = {
  numpy: numpyForms,
  torch: torchForms,
  tensorflow: tensorflowForms,
  tfjs: tfjsForms,
  jax: jaxForms,
  onnxruntime: onnxruntimeForms,
  openvino: openvinoForms,
  paddle: paddleForms,
  tensorrt: tensorrtForms,
  mlx: mlxForms,
  candle: candleForms,
  coreml: coremlForms,
  matlab: matlabForms,
  octave: octaveForms,
  julia: juliaForms,
}

/** Without colour, frames drawn around messages, marks of quotation and line ends: terminals break lines anywhere. */
const flat = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour is control characters.
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/[\u2500-\u257f]/g, ' ')
    .replace(/\n[ \t]*>(?=[ \t\n]|$)/g, '\n')
    .replace(/\s+/g, ' ')

/** How far ahead of a message the rest of its sentence may start. */
const AHEAD = 1000

/** Sizes in brackets directly behind a message, with or without a word between. */
const MORE = /^(?:->|[,; ]|vs\.?|and|or|to|with|onto|requested|target|shapes?)*([([{](?:None|newaxis|[\d?, ])*[)\]}])/

/** How far behind a message it is looked for. */
const BEHIND = 100

interface Hit {
  readonly from: number
  readonly to: number
  readonly reading: Reading
}

function found(read: Form['read'], parts: Parts): Found | undefined {
  try {
    return read(parts)
  } catch (error) {
    if (!(error instanceof UnreadSize)) throw error
    return unreadFinding(error.digits)
  }
}

/** Compiled once: a text is searched for all of them. */
const globals = new Map<RegExp, RegExp>()

function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const global = globals.get(pattern) ?? new RegExp(pattern, 'g')
  globals.set(pattern, global)
  global.lastIndex = 0
  const matches: RegExpExecArray[] = []
  for (let match = global.exec(text); match !== null; match = global.exec(text)) matches.push(match)
  return matches
}

function hitsOf(framework: Framework, text: string): Hit[] {
  return forms[framework].flatMap(({ name, pattern, before, read }) =>
    matchesOf(pattern, text).flatMap((match): Hit[] => {
      const [from, to] = [match.index, match.index + match[0].length]
      const ahead = before?.exec(text.slice(Math.max(0, from - AHEAD), from))
      const reading = found(read, { ...ahead?.groups, ...match.groups })
      if (reading === undefined) return []
      const { where, ...finding } = reading
      const unread = MORE.exec(text.slice(to, to + BEHIND))?.[1]
      return [{ from, to, reading: { framework, form: name, text: match[0], where, finding, unread } }]
    }),
  )
}

/** Of messages that overlap the first counts. */
function apart(hits: readonly Hit[], length: number): Hit[] {
  const taken = new Uint8Array(length)
  return hits.filter(({ from, to }) => {
    if (taken.subarray(from, to).includes(1)) return false
    taken.fill(1, from, to)
    return true
  })
}

/** The messages of a text in their order; what is logged twice is one. */
export function readMessages(text: string, only?: Framework): Reading[] {
  const searched = only === undefined ? (Object.keys(frameworks) as Framework[]) : [only]
  const flattened = flat(text)
  const hits = searched.flatMap((framework) => hitsOf(framework, flattened))
  const seen = new Set<string>()
  return apart(hits, flattened.length)
    .toSorted((a, b) => a.from - b.from)
    .map(({ reading }) => reading)
    .filter(({ framework, finding, where }) => {
      const key = JSON.stringify([framework, finding, where])
      return !seen.has(key) && seen.add(key)
    })
}
