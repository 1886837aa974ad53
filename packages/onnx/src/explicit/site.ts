// A node whose operands meet, seen in every walk through its scope: a function's body is walked once for each call, and
// what is done to a node must be right in all of them. Axes are counted from the right, the last one is 1.
import { constantOf, isEqual } from '../dims/index.ts'
import type { Broadcast } from '../infer/context.ts'
import type { Inference } from '../infer/inference.ts'
import type { Node, Scope } from '../model/scope.ts'

export interface Site {
  readonly node: Node
  /** One for each walk; of operators that broadcast twice, two. */
  readonly meetings: readonly Broadcast[]
}

/** How the operands of each node meet, in every walk. */
export function meetingsOf(broadcasts: readonly Broadcast[]): ReadonlyMap<Node, readonly Broadcast[]> {
  const meetings = new Map<Node, Broadcast[]>()
  for (const broadcast of broadcasts) {
    const own = meetings.get(broadcast.node)
    if (own === undefined) meetings.set(broadcast.node, [broadcast])
    else own.push(broadcast)
  }
  return meetings
}

/** Every node that broadcasts, or would if shapes differed; scope by scope, in the order of their nodes. */
export function sitesOf({ broadcasts }: Inference): readonly Site[] {
  const scopes = new Map<Scope, Map<Node, readonly Broadcast[]>>()
  for (const [node, meetings] of meetingsOf(broadcasts)) {
    const sites = scopes.get(node.scope) ?? new Map<Node, readonly Broadcast[]>()
    scopes.set(node.scope, sites.set(node, meetings))
  }
  return [...scopes.values()].flatMap((sites) =>
    [...sites].map(([node, meetings]) => ({ node, meetings })).sort((a, b) => a.node.index - b.node.index),
  )
}

/** A number that is the same in every walk. */
function agreed(numbers: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = numbers
  return others.every((number) => number === first) ? first : undefined
}

/** The rank of the result, if it is the same in every walk. */
export const resultRank = ({ meetings }: Site): number | undefined =>
  agreed(meetings.map(({ meeting }) => meeting.shape?.length))

/** The rank of an operand, if it is the same in every walk. */
export const rankOf = ({ meetings }: Site, operand: number): number | undefined =>
  agreed(meetings.map(({ operands }) => operands[operand]!.shape?.length))

/** Whether an operand has the size of the result on an axis, for certain. */
const hasAxis = ({ meetings }: Site, operand: number, axis: number): boolean =>
  meetings.every(({ operands, meeting }) => {
    const [own, size] = [operands[operand]!.shape?.at(-axis), meeting.shape?.at(-axis)]
    return own !== undefined && size !== undefined && size !== null && isEqual(own, size) === true
  })

/** Whether an operand is repeated on an axis, for certain, or does not have it. */
export const isOneOn = ({ meetings }: Site, operand: number, axis: number): boolean =>
  meetings.every(({ operands }) => {
    const { shape } = operands[operand]!
    if (shape === null) return false
    const own = shape.at(-axis)
    return own === undefined || isEqual(own, 1) === true
  })

// A sum of many operands asks for each of them again and again, and to compare sizes takes time.
const known = new WeakMap<Site, Map<number, readonly number[] | undefined>>()

/** Axes of the result on which an operand may differ from it; undefined where a rank is not known. */
export function openAxes(site: Site, operand: number): readonly number[] | undefined {
  let own = known.get(site)
  if (own === undefined) known.set(site, (own = new Map()))
  if (!own.has(operand)) own.set(operand, comparedAxes(site, operand))
  return own.get(operand)
}

function comparedAxes(site: Site, operand: number): readonly number[] | undefined {
  const rank = resultRank(site)
  if (rank === undefined || site.meetings.some(({ operands }) => operands[operand]!.shape === null)) return undefined
  return Array.from({ length: rank }, (_, i) => rank - i).filter((axis) => !hasAxis(site, operand, axis))
}

/** Whether an operand has the shape of the result, for certain. */
export const isFull = (site: Site, operand: number): boolean => openAxes(site, operand)?.length === 0

/** The size of the result on an axis, if it is one number in every walk. */
export const sizeOn = ({ meetings }: Site, axis: number): number | undefined =>
  agreed(
    meetings.map(({ meeting }) => {
      const size = meeting.shape?.at(-axis)
      const value = size && constantOf(size)
      return value === undefined || value === null ? undefined : Number(value)
    }),
  )
