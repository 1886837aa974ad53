// What goes wrong with files: bits rot, transfers stop, tools write nonsense, and someone means harm.
import { GraphProtoSchema } from '@bcast/onnx/proto'
import { WireType } from '@bufbuild/protobuf/wire'
import type { Random } from '../../../testing/random.ts'
import { concat, copy, type Field, lists, print, varint } from './fields.ts'

/** Changes the bytes of a file. */
type ByteMutation = (random: Random, bytes: Uint8Array) => Uint8Array
/** Changes the tree of a file, in place. */
type TreeMutation = (random: Random, root: Field[]) => void

const EXTREMES: readonly bigint[] = [
  -1n,
  0n,
  1n,
  127n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 40n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
  -(2n ** 63n),
]

export const byteMutations: Readonly<Record<string, ByteMutation>> = {
  flip(random, bytes) {
    const out = bytes.slice()
    for (let i = random.below(8); i >= 0; i--) out[random.below(out.length)]! ^= 1 << random.below(8)
    return out
  },
  overwrite(random, bytes) {
    const out = bytes.slice()
    const start = random.below(out.length)
    for (let i = start; i < Math.min(out.length, start + 1 + random.below(16)); i++) out[i] = random.bits()
    return out
  },
  truncate: (random, bytes) => bytes.slice(0, random.below(bytes.length)),
  remove(random, bytes) {
    const start = random.below(bytes.length)
    return concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random.below(32))])
  },
  insert(random, bytes) {
    const start = random.below(bytes.length)
    const noise = Uint8Array.from({ length: 1 + random.below(16) }, () => random.bits())
    return concat([bytes.subarray(0, start), noise, bytes.subarray(start)])
  },
}

/** A list that holds something, anywhere in the tree. */
function someList(random: Random, root: Field[]): Field[] {
  const filled = [...lists(root)].filter((list) => list.length > 0)
  return filled.length === 0 ? root : random.pick(filled)
}

const someField = (random: Random, root: Field[]): Field | undefined => {
  const list = someList(random, root)
  return list.length === 0 ? undefined : random.pick(list)
}

const bare = (number: number, wire: number, payload: Uint8Array): Field => ({
  number,
  wire,
  payload,
  children: undefined,
  desc: undefined,
  claim: undefined,
})

const message = (number: number, children: Field[]): Field => ({
  ...bare(number, WireType.LengthDelimited, new Uint8Array()),
  children,
})

/** A graph in an attribute of a node of a graph, and so on. */
function nestedGraphs(depth: number): Field[] {
  let graph: Field[] = []
  for (let i = 0; i < depth; i++) graph = [message(1, [message(5, [message(6, graph)])])]
  return graph
}

function nestedGroups(depth: number): Uint8Array {
  const open = varint((99n << 3n) | 3n)
  const close = varint((99n << 3n) | 4n)
  return Uint8Array.from([...Array(depth).fill(open), ...Array(depth).fill(close)].flat() as number[])
}

export const treeMutations: Readonly<Record<string, TreeMutation>> = {
  duplicateField(random, root) {
    const list = someList(random, root)
    if (list.length > 0) list.splice(random.below(list.length), 0, copy(random.pick(list)))
  },
  deleteField(random, root) {
    const list = someList(random, root)
    list.splice(random.below(list.length), 1)
  },
  swapFields(random, root) {
    const [one, other] = [someField(random, root), someField(random, root)]
    if (one === undefined || other === undefined) return
    const kept = copy(one)
    Object.assign(one, copy(other))
    Object.assign(other, kept)
  },
  moveField(random, root) {
    const from = someList(random, root)
    const [field] = from.splice(random.below(from.length), 1)
    if (field !== undefined) someList(random, root).push(copy(field))
  },
  renumber(random, root) {
    const field = someField(random, root)
    if (field !== undefined) field.number = random.chance(0.5) ? 1 + random.below(30) : random.bits() >>> 3
  },
  retype(random, root) {
    const field = someField(random, root)
    if (field !== undefined) field.wire = random.below(8)
  },
  absurdLength(random, root) {
    const runs = [...lists(root)].flat().filter(({ wire }) => wire === WireType.LengthDelimited)
    if (runs.length > 0) random.pick(runs).claim = random.pick(EXTREMES)
  },
  /** Among them sizes of tensors, element types and versions. */
  absurdNumber(random, root) {
    const numbers = [...lists(root)].flat().filter(({ wire }) => wire === WireType.Varint)
    if (numbers.length > 0) random.pick(numbers).payload = Uint8Array.from(varint(random.pick(EXTREMES)))
  },
  nestGraphs(random, root) {
    const graphs = [...lists(root)].flat().filter(({ desc }) => desc === GraphProtoSchema)
    if (graphs.length > 0) random.pick(graphs).children!.push(...nestedGraphs(1 + random.below(60)))
  },
  nestGroups(random, root) {
    const groups = nestedGroups(1 + random.below(300))
    // The whole run passes as one field without a length: its own tag is the first group's.
    someList(random, root).push(bare(99, WireType.StartGroup, groups.subarray(2)))
  },
  notText(random, root) {
    const field = someField(random, root)
    if (field !== undefined) field.payload = Uint8Array.of(0xff, 0xc0, 0x80)
  },
}

/** Repeats one field until it fills `room` bytes; done last, for the tree is then too large to walk. */
export function multiply(random: Random, root: Field[], room: number): void {
  const list = someList(random, root)
  if (list.length === 0) return
  const field = random.pick(list)
  const times = Math.floor(room / print([field]).length)
  for (let i = 0; i < times; i++) list.push(field)
}
