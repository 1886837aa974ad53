// What `npm start` shows first: a broadcast explained, a failing one with its fix, a computation with its result.
import { add, BroadcastError, broadcastTo, div, explain, mul, pdpd, sub, tensor } from 'bcast'

const heading = (text: string): string => `\n── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}\n\n`

export function tour(): string {
  const parts: string[] = ['bcast: how tensors of different shapes meet\n']
  const show = (title: string, ...blocks: readonly unknown[]): void => {
    parts.push(heading(title), blocks.map((block) => `${block}\n`).join('\n'))
  }

  show(
    'A broadcast, explained: explain([[2, 3, 4], [3, 1]])',
    explain([
      [2, 3, 4],
      [3, 1],
    ]),
  )
  show(
    'One that depends on sizes not known yet: explain([["N", 3], [4, "M"]])',
    explain([
      ['N', 3],
      [4, 'M'],
    ]),
  )

  const images = tensor(
    Float32Array.from({ length: 24 }, (_, i) => i),
    { shape: [2, 3, 2, 2] },
  )
  const bias: Float32Array = new Float32Array([10, 20, 30])
  try {
    // The shape is hidden from the compiler, which would refuse the call below with the same sentence.
    add(images, tensor(bias, { shape: [bias.length] }))
  } catch (error) {
    if (!(error instanceof BroadcastError)) throw error
    show('One that fails, and what would fix it: add(images, bias)', error.message)
  }
  const fixed = add(images, tensor(bias, { shape: [3] }), { broadcast: pdpd({ axis: 1 }) })
  show('With a fix applied: add(images, bias, { broadcast: pdpd({ axis: 1 }) })', fixed)

  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ])
  const standardized = mul(div(sub(x, tensor([2.5, 3.5, 4.5])), tensor([1.5, 1.5, 1.5])), tensor([[1], [10]]))
  show('A computation: (x - mean) / std * scale, with shapes (2,3), (3), (3), (2,1)', standardized)

  const huge = broadcastTo(tensor([1]), [1_000_000, 1_000_000])
  show('A view that costs no memory: broadcastTo(tensor([1]), [1e6, 1e6])', huge)
  // From a clone the program is called by way of npm.
  const program = process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'bcast'
  parts.push(`\nNext: ${program} explain 2,3,4 2,4      ${program} --help\n`)
  return parts.join('')
}
