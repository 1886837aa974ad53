// One thing that a check found: what it is, where, between which operands, by which clause, and what would mend it.

import type { Frame } from '../infer/frame.ts'
import type { Inference } from '../infer/inference.ts'
import type { InputShapes } from '../infer/inputs.ts'
import type { ExternalFiles } from '../model/external.ts'
import type { Model } from '../model/model.ts'
import { type Node, nodePath } from '../model/scope.ts'
import type { FindingId, Severity } from './codes.ts'
import type { ModelFix } from './fixes/edit.ts'
import type { Profile } from './profile.ts'
import type { CheckedBroadcast, CheckedOperand } from './verdict.ts'
import { placeText } from './words.ts'

/** Something that `checkModel` found, where, and what would fix it. */
export interface CheckFinding {
  readonly id: FindingId
  readonly severity: Exclude<Severity, 'off'>
  /** What it is, in one sentence that names the place. */
  readonly message: string
  /** What findings of one kind share that have the same cause; a text for people tells of one of them. */
  readonly cause: string
  /** The message of the file at fault, as `graph.node[3]`. */
  readonly path: string
  readonly node: Node | undefined
  readonly frame: Frame | undefined
  /** The name of the value at fault, where one is. */
  readonly name: string | undefined
  readonly operands: readonly CheckedOperand[]
  /** How the operands meet, for findings about that; `pictureOf` draws it. */
  readonly broadcast: CheckedBroadcast | undefined
  /** Counted from the right; undefined where no single axis is at fault. */
  readonly axis: number | undefined
  /** Where the standard or the profile says so; empty for what no clause forbids. */
  readonly clause: string
  /** Changes to the model after which the node passes; each was tried. */
  readonly fixes: readonly ModelFix[]
}

/** A finding before its severity and its fixes are known. */
export type Found = Omit<CheckFinding, 'severity' | 'fixes'>

/** What checks look at. */
export interface Subject {
  readonly model: Model
  readonly inference: Inference
  readonly profile: Profile
  readonly broadcasts: readonly CheckedBroadcast[]
  /** Whether declared types inside the model speak of the inputs that were given. */
  readonly asDeclared: boolean
  /** Shapes of inputs that were given. */
  readonly inputs: InputShapes | undefined
  /** Where external data lies. */
  readonly files: ExternalFiles | undefined
}

/** One kind of finding. */
export type Lint = (subject: Subject) => Iterable<Found>

interface At {
  readonly node: Node
  readonly frame: Frame | undefined
}

/** A finding about a node; the sentence follows its name. */
export const atNode = (
  id: FindingId,
  { node, frame }: At,
  sentence: string,
  more: Partial<Pick<Found, 'name' | 'operands' | 'axis' | 'clause' | 'cause'>> = {},
): Found => ({
  ...{ id, node, frame, path: nodePath(node), message: `${placeText(node, frame)}: ${sentence}`, cause: sentence },
  ...{ name: undefined, operands: [], broadcast: undefined, axis: undefined, clause: '', ...more },
})

/** A finding about how operands meet. */
export const atBroadcast = (
  id: FindingId,
  broadcast: CheckedBroadcast,
  sentence: string,
  more: Partial<Pick<Found, 'axis' | 'clause' | 'cause'>> = {},
): Found => ({
  ...atNode(id, broadcast, sentence, {
    operands: broadcast.operands,
    clause: broadcast.clause,
    ...more,
  }),
  broadcast,
})

/** A finding about something that is no node. */
export const atPath = (id: FindingId, path: string, message: string, name?: string): Found => ({
  ...{ id, path, message, cause: message, name, node: undefined, frame: undefined },
  ...{ operands: [], broadcast: undefined, axis: undefined, clause: '' },
})
