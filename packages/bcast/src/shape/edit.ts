// Small changes to an operand's shape that keep its elements and their meaning: the moves of the search for
// fixes. Each says what it does in words and as code.
import { type Dim, formatShape } from './dim.ts'
import { axesFrom } from './rule.ts'

export type Edit =
  | { readonly kind: 'insert'; readonly operand: number; readonly at: number }
  | { readonly kind: 'drop'; readonly operand: number; readonly at: number }
  | { readonly kind: 'move'; readonly operand: number; readonly from: number; readonly to: number }
  | { readonly kind: 'transpose'; readonly operand: number; readonly order: readonly number[] }

/** The axis order that takes axis `from` to position `to` and keeps the rest in order. */
const moveOrder = (rank: number, from: number, to: number): number[] =>
  axesFrom(0, rank).toSpliced(from, 1).toSpliced(to, 0, from)

/** The new order of the axes; undefined when they stay in order. */
function orderOf(edit: Edit, rank: number): readonly number[] | undefined {
  if (edit.kind === 'transpose') return edit.order
  return edit.kind === 'move' ? moveOrder(rank, edit.from, edit.to) : undefined
}

/** A list with one entry for each axis after an edit; `one` is the entry of a new axis. */
function editList<T>(list: readonly T[], edit: Edit, one: T): readonly T[] {
  if (edit.kind === 'insert') return list.toSpliced(edit.at, 0, one)
  if (edit.kind === 'drop') return list.toSpliced(edit.at, 1)
  return orderOf(edit, list.length)!.map((axis) => list[axis]!)
}

/** The shape after an edit. */
export const applyEdit = (shape: readonly Dim[], edit: Edit): readonly Dim[] => editList<Dim>(shape, edit, 1)

/** Moving an axis or reordering them changes which element is where; the others only respell the shape. */
const COST = { insert: 1, drop: 1, move: 2, transpose: 2 } as const

export const editCost = (edit: Edit): number => COST[edit.kind]

/** Every edit of an operand's first `free` axes. */
export function editsOf(operand: number, shape: readonly Dim[], free: number = shape.length): Edit[] {
  const edits: Edit[] = []
  for (let at = 0; at <= free; at++) {
    // An insertion beside an equal 1 gives the same shape again.
    if (at === 0 || shape[at - 1] !== 1) edits.push({ kind: 'insert', operand, at })
  }
  for (let at = 0; at < free; at++) if (shape[at] === 1) edits.push({ kind: 'drop', operand, at })
  if (free < 2) return edits
  const rest = axesFrom(free, shape.length - free)
  edits.push({ kind: 'transpose', operand, order: [...axesFrom(0, free).reverse(), ...rest] })
  for (let from = 0; from < free; from++) {
    for (let to = 0; to < free; to++) {
      // One step to the left is another axis's step to the right; with two axes both are the transpose.
      if (from !== to && from - to !== 1 && free > 2) edits.push({ kind: 'move', operand, from, to })
    }
  }
  return edits
}

const VERB = { insert: 'reshape', drop: 'reshape', move: 'transpose', transpose: 'transpose' } as const

/** What a run of edits on one operand does, as words and as a call. */
export function describeEdits(
  name: string,
  from: readonly Dim[],
  edits: readonly Edit[],
): { text: string; code: string } {
  const variable = name.length === 1 ? name.toLowerCase() : name.replace(' ', '')
  // A size that is not known is read from the operand itself.
  let sizes: readonly string[] = from.map((dim, axis) =>
    typeof dim === 'number' ? String(dim) : `${variable}.shape[${axis}]`,
  )
  let code = variable
  let shape = from
  edits.forEach((edit, i) => {
    const order = orderOf(edit, shape.length)
    sizes = editList(sizes, edit, '1')
    shape = applyEdit(shape, edit)
    if (order !== undefined) code += `.transpose(${order.join(', ')})`
    else if (edits[i + 1] === undefined || VERB[edits[i + 1]!.kind] === 'transpose') {
      code += `.reshape(${sizes.join(', ')})`
    }
  })
  const verbs = [...new Set(edits.map(({ kind }) => VERB[kind]))]
  return { text: `${verbs.join(' and ')} ${name} from ${formatShape(from)} to ${formatShape(shape)}`, code }
}
