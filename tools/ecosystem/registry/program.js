// A program of a user: every package computes, on the workers too, and a stack leads to the sources.
import { equal } from 'node:assert/strict'
import { onnxErrorCodes } from '@bcast/onnx'
import { numpy } from '@bcast/spec'
import { add, BroadcastError, tensor } from 'bcast'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
equal(JSON.stringify(add(x, tensor([10, 20, 30])).toArray()), '[[11,22,33],[14,25,36]]')

const large = tensor(new Float32Array(2 ** 20).fill(1), { shape: [1024, 1024] })
equal((await add.async(large, 1)).get(1023, 1023), 2)

equal(typeof onnxErrorCodes, 'object')
equal(typeof numpy([[3], [2, 1]]), 'object')

try {
  add(x, tensor([1, 2]))
  throw new Error('shapes that do not meet were added')
} catch (error) {
  equal(error instanceof BroadcastError, true)
  equal(/[/\\]src[/\\][\w/\\-]+\.ts:\d+:\d+/.test(error.stack), true, error.stack)
}
console.log('all is well')
