// A program of a user of machine code: every way of storing, one thread and two, waiting and not, gives what plain loops
// give. Prints what computes.
import { equal } from 'node:assert/strict'
import { configureNative, engine } from '@bcast/native'
import { add, configure, fromData, fuse } from 'bcast'

const [rows, columns] = [600, 1000]
const x = fromData(
  'float32',
  Float32Array.from({ length: rows * columns }, (_, i) => Math.fround(Math.sin(i))),
  [rows, columns],
)
const y = fromData(
  'float32',
  Float32Array.from({ length: columns }, (_, i) => Math.fround(1 / (i + 1))),
  [columns],
)
const expected = x.data.map((each, i) => Math.fround(each + y.data[i % columns]))
const same = ({ data }) => equal(Buffer.compare(Buffer.from(data.buffer, data.byteOffset, data.byteLength), bytes), 0)
const bytes = Buffer.from(expected.buffer)
const fused = fuse((a, b) => a.add(b))

for (const threads of [1, 2]) {
  for (const stores of ['streaming', 'ordinary', 'auto']) {
    configure({ threads })
    configureNative({ stores })
    same(add(x, y))
    same(await add.async(x, y))
    same(await fused.async(x, y))
  }
}
console.log(engine)
