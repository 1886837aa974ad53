// Real error messages of every framework: each must be read, with exactly the shapes that it holds.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { explainCommand } from '../../src/commands/explain.ts'
import { type Framework, frameworks } from '../../src/messages/form.ts'
import { forms, type Reading, readMessages } from '../../src/messages/read.ts'
import { explained, readingText } from '../../src/messages/words.ts'
import { corpus } from './corpus/corpus.ts'

const entries = (Object.keys(corpus) as Framework[]).flatMap((framework) =>
  corpus[framework].map((entry) => ({ framework, entry })),
)

/** What tells one reading from another. */
const toldBy = (readings: readonly Reading[]) =>
  readings.map(({ framework, finding, where }) => JSON.stringify([framework, finding, where]))

/** How the command ends, without a process around it. */
async function exitCodeOf(...args: string[]): Promise<number> {
  const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const before = process.exitCode
  process.exitCode = 0
  try {
    await explainCommand().exitOverride().parseAsync(args, { from: 'user' })
    return Number(process.exitCode)
  } finally {
    spy.mockRestore()
    process.exitCode = before
  }
}

describe.each(entries)('$framework: $entry.source', ({ framework, entry }) => {
  it('is read alike with the framework named and found', () => {
    expect(toldBy(readMessages(entry.text))).toEqual(toldBy(readMessages(entry.text, framework)))
  })

  it('says what it holds and no more', () => {
    const readings = readMessages(entry.text)
    expect(readings).toHaveLength(1)
    const [{ form, where, finding }] = readings as [(typeof readings)[0]]
    const { shapes, sizes, about } = entry
    const kind = shapes ? 'shapes' : sizes ? 'sizes' : about ? 'other' : 'silent'
    expect({ form, kind: finding.kind }).toEqual({ form: entry.form, kind })
    if (finding.kind === 'shapes') {
      expect(finding.shapes).toEqual(shapes)
      expect(finding.rule.name).toBe(entry.rule ?? 'numpy')
    }
    if (finding.kind === 'sizes')
      expect({ sizes: finding.sizes, axis: finding.axis }).toEqual({ sizes, axis: entry.axis })
    if (finding.kind === 'other') expect(finding.about).toBe(about)
    if (entry.where !== undefined) expect(where).toBe(entry.where)
    const whole = explained(readings[0]!)
    expect(whole.verdict).toBe(entry.verdict ?? 'error')
    const text = readingText(whole)
    expect(text.startsWith(`${frameworks[framework]}: `)).toBe(true)
    if (kind === 'shapes') expect(text).toContain(whole.explanation!.toString().split('\n\nrule ')[0])
    expect(text).not.toContain('fix: use rule')
    if (entry.says !== undefined) expect(text).toContain(entry.says)
  })
})

/** One message of each wording. */
const firsts = entries.filter(
  ({ framework, entry }, i) =>
    entries.findIndex((other) => other.framework === framework && other.entry.form === entry.form) === i,
)

it.each(firsts)('$framework: $entry.form ends the command by its verdict', async ({ framework, entry }) => {
  expect(await exitCodeOf('--from', framework, entry.text)).toBe((entry.verdict ?? 'error') === 'error' ? 1 : 0)
})

describe('a framework', () => {
  it.each([
    ['np', 'numpy'],
    ['pytorch', 'torch'],
    ['PyTorch', 'torch'],
    ['tf', 'tensorflow'],
    ['keras', 'tensorflow'],
    ['ort', 'onnxruntime'],
    ['onnx', 'onnxruntime'],
    ['PaddlePaddle', 'paddle'],
    ['trt', 'tensorrt'],
    ['coremltools', 'coreml'],
    ['MATLAB', 'matlab'],
  ] as const)('may be called %s', async (name, framework) => {
    const { text, verdict } = corpus[framework][0]!
    expect(await exitCodeOf('--from', name, text)).toBe((verdict ?? 'error') === 'error' ? 1 : 0)
    const other = corpus[framework === 'torch' ? 'numpy' : 'torch'][0]!
    await expect(exitCodeOf('--from', name, other.text)).rejects.toThrow(`no message of ${framework} that bcast knows`)
  })
})

describe('the corpus', () => {
  it('has a real message for every form', () => {
    for (const framework of Object.keys(forms) as Framework[]) {
      const shown = new Set(corpus[framework].map(({ form }) => form))
      expect([...shown].toSorted(), framework).toEqual(forms[framework].map(({ name }) => name).toSorted())
    }
  })

  it('has several wordings for each framework', () => {
    for (const messages of Object.values(corpus)) expect(messages.length).toBeGreaterThanOrEqual(5)
  })
})

describe('a whole log', () => {
  const together = entries.map(({ entry }) => entry.text).join('\n\nDuring handling of the above exception:\n\n')

  it('gives every message once, in its order', () => {
    const found = readMessages(`${together}\n${together}`).map(({ framework, form }) => `${framework} ${form}`)
    const single = entries.flatMap(({ entry }) => readMessages(entry.text))
    const told = toldBy(single)
    const first = single.filter((_, i) => told.indexOf(told[i]!) === i)
    expect(found).toEqual(first.map(({ framework, form }) => `${framework} ${form}`))
  })

  it('is read through colour, frames and broken lines', () => {
    const text = 'operands could not be broadcast together with shapes (2,3) (4,)'
    const broken = text.replaceAll(' ', () => ' \u001b[31m│\n\t  ')
    expect(toldBy(readMessages(broken))).toEqual(toldBy(readMessages(text)))
  })
})

describe('texts that hold no message', () => {
  it.each(['', 'ValueError: bad input', 'shapes (2,3) and (4,) are fine', 'Incompatible shapes', 'by 3'])(
    '%j',
    (text) => {
      expect(readMessages(text)).toEqual([])
    },
  )

  it('never fail, whatever they are', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(...entries.flatMap(({ entry }) => entry.text.split(/(?<=[\s(),.[\]])/))),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        for (const reading of readMessages(parts.join(''))) expect(readingText(explained(reading))).not.toBe('')
      }),
    )
  })
})

describe('a message that goes on', () => {
  it.each([
    ['Incompatible shapes: [2,3] vs. [3] [4,5]', '[4,5]'],
    ['Incompatible shapes: [2,N] vs. [3] vs [4,5]', '[4,5]'],
    ['operands could not be broadcast together with shapes (2,3) (3,)->(5,newaxis)', '(5,newaxis)'],
    ['could not broadcast input array from shape (3,) into shape (2,3) and requested shape (4,)', '(4,)'],
  ])('never gets the answer that its shapes meet: %j', async (text, unread) => {
    const [reading] = readMessages(text) as [Reading]
    expect(reading.unread).toBe(unread)
    const whole = explained(reading)
    expect(whole.verdict).toBe('error')
    expect(readingText(whole)).toContain(`the message goes on with ${unread}`)
    expect(await exitCodeOf('--from', 'auto', text)).toBe(1)
  })

  it('is still explained where what was read fails by itself', () => {
    const [reading] = readMessages('Incompatible shapes: [2,3] vs. [4] [4,5]') as [Reading]
    expect(readingText(explained(reading))).toContain('cannot broadcast axis -1: 3 vs 4')
  })
})

describe('shapes of any size', () => {
  const shape = fc.array(fc.nat(9), { maxLength: 5 })
  const numpyText = (sizes: readonly number[]) => `(${sizes.join(',')}${sizes.length === 1 ? ',' : ''})`
  const pythonText = (sizes: readonly number[]) => `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`

  it('come back from the words of NumPy, JAX and TensorFlow', () => {
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const texts = [
          `ValueError: operands could not be broadcast together with shapes ${numpyText(a)} ${numpyText(b)} `,
          `TypeError: mul got incompatible shapes for broadcasting: ${pythonText(a)}, ${pythonText(b)}.`,
          `Incompatible shapes: [${a}] vs. [${b}] [Op:Mul]`,
        ]
        for (const text of texts) expect(readMessages(text)[0]?.finding).toMatchObject({ shapes: [a, b] })
      }),
    )
  })
})
