// The path of the field that holds a byte, `graph.node[3].name`. Worked out by reading again from the start, and only
// when something is wrong, so that the reader need not keep track of where it is.
import { WireType } from '@bufbuild/protobuf/wire'
import { Cursor, WireFault } from './cursor.ts'
import { type MessageTable, tableOf } from './table.ts'

const DEPTH = 1000

interface Step {
  readonly name: string
  /** The message in which to look further, and where it lies. */
  readonly inner: { readonly table: MessageTable; readonly start: number; readonly end: number } | undefined
}

/** The field of a message in which `offset` lies, if it can be told. */
function stepAt(table: MessageTable, cursor: Cursor, end: number, offset: number): Step | undefined {
  const counts = new Map<number, number>()
  while (cursor.at < end) {
    const { number, wire } = cursor.tag(end)
    const row = table.fields.get(number)
    const count = counts.get(number) ?? 0
    counts.set(number, count + 1)
    const name = row === undefined ? `field ${number}` : row.repeated ? `${row.name}[${count}]` : row.name
    try {
      const start = cursor.at
      cursor.skip(wire, number, end, DEPTH)
      if (offset >= cursor.at) continue
      const message = row?.message
      if (message === undefined || wire !== WireType.LengthDelimited) return { name, inner: undefined }
      const after = cursor.at
      cursor.at = start
      const payloadEnd = cursor.payload(end)
      const inside = offset >= cursor.at && after === payloadEnd
      return { name, inner: inside ? { table: tableOf(message), start: cursor.at, end: payloadEnd } : undefined }
    } catch (error) {
      if (error instanceof WireFault) return { name, inner: undefined }
      throw error
    }
  }
  return undefined
}

export function pathAt(root: MessageTable, bytes: Uint8Array, offset: number): string {
  const names: string[] = []
  let inner: Step['inner'] = { table: root, start: 0, end: bytes.length }
  try {
    while (inner !== undefined) {
      const step: Step | undefined = stepAt(inner.table, new Cursor(bytes, inner.start), inner.end, offset)
      if (step === undefined) break
      names.push(step.name)
      inner = step.inner
    }
  } catch (error) {
    if (!(error instanceof WireFault)) throw error
  }
  return names.join('.')
}
