// Memory that is discarded is gone at once, and nothing else goes with it.
import { empty } from 'bcast'
import { expect, it } from 'vitest'
import { discard } from '../../src/files/bytes/discard.ts'

it('gives back all that bytes lie in', () => {
  const whole = new Uint8Array(2 ** 20).fill(7)
  discard(whole.subarray(5, 9))
  expect(whole.length).toBe(0)
})

it('does not let memory pile up', async () => {
  const { arrayBuffers } = process.memoryUsage()
  for (let i = 0; i < 100; i++) {
    discard(new Uint8Array(2 ** 23).fill(1))
    // Where it goes with what is sent, that is behind the sender's turn.
    await new Promise(setImmediate)
  }
  expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(2 ** 25)
})

it.each([
  ['shared memory', new Uint8Array(new SharedArrayBuffer(2 ** 20))],
  ['memory of kernels', empty([2 ** 20]).data],
  ['what Node cut from a larger buffer', Buffer.from('some bytes')],
  ['what is small', new Uint8Array(1000)],
])('leaves %s', (_, bytes) => {
  const { length } = bytes
  discard(bytes)
  expect(bytes.length).toBe(length)
})
