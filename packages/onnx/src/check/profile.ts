// What a check demands beyond ONNX: profiles are data, so that they can change with the documents they follow.
import { matmulBatch } from 'bcast'
import { type FindingId, findingSeverities, type Severity } from './codes.ts'
import type { CheckedBroadcast } from './verdict.ts'

/** Whether a profile lets operands stretch. */
export type Broadcasting = 'allowed' | 'forbidden'

/** What a profile says of one operator. */
export interface OperatorRule {
  /** Whether its operands may differ in shape. */
  readonly broadcasting: Broadcasting
  /** Where that is said. */
  readonly clause: string
  /** False for an operator that the profile's document needs and does not specify. */
  readonly specified?: boolean
}

/** What a model is held against: which operators may broadcast, and how severe findings are. */
export interface Profile {
  readonly name: string
  /** For operators that are not listed. */
  readonly broadcasting: Broadcasting
  /** Where that is said. */
  readonly clause: string
  /** By operator; `domain:Operator` outside ONNX's own domain. MatMul is for all that multiply batches as it does. */
  readonly operators: Readonly<Record<string, OperatorRule>>
  /** Where they differ from those of profile `onnx`. */
  readonly severities: Readonly<Partial<Record<FindingId, Severity>>>
  /** The most axes that a target takes; null without a limit. */
  readonly maxRank: number | null
}

const onnx: Profile = {
  name: 'onnx',
  broadcasting: 'allowed',
  clause: 'ONNX Broadcasting',
  operators: {},
  severities: {},
  maxRank: null,
}

/** A profile that wants proof: what cannot be decided does not pass. */
const proof: Profile['severities'] = {
  'broadcast-conditional': 'error',
  'broadcast-unknown': 'error',
  'branch-does-not-fit': 'error',
  incomplete: 'error',
  // Proof for those who leave the defaults as they are.
  'default-assumed': 'warning',
  'sparse-tensor': 'error',
}

const matmul: OperatorRule = { broadcasting: 'allowed', clause: 'ONNX MatMul, batch axes' }

/** Every operand of the shape of the result: what the explicit rewrite makes of a model. */
const strict: Profile = {
  name: 'sonnx-strict',
  broadcasting: 'forbidden',
  clause: 'SONNX, no implicit broadcasting',
  operators: {
    Expand: { broadcasting: 'allowed', clause: 'ONNX Expand, the explicit broadcast' },
    MatMul: matmul,
  },
  severities: proof,
  maxRank: null,
}

const specified = (operator: string, broadcasting: Broadcasting): OperatorRule => ({
  broadcasting,
  clause: `SONNX ${operator}, ${broadcasting === 'allowed' ? 'Broadcast [C1]' : 'equal shapes'}`,
})

const unspecified = (operator: string): OperatorRule => ({
  broadcasting: 'allowed',
  clause: `SONNX names ${operator} and does not specify it`,
  specified: false,
})

const rules = <T extends string>(names: readonly T[], rule: (name: T) => OperatorRule): Record<string, OperatorRule> =>
  Object.fromEntries(names.map((name) => [name, rule(name)]))

/** Broadcasting where an operator's specification has it. */
const broadcast: Profile = {
  name: 'sonnx-broadcast',
  broadcasting: 'allowed',
  clause: 'SONNX Broadcast [C1]',
  operators: {
    ...rules(['Add', 'Sub', 'Mul', 'Max'], (name) => specified(name, 'allowed')),
    ...rules(['Div', 'Less', 'Pow', 'Where'], (name) => specified(name, 'forbidden')),
    Gemm: { broadcasting: 'forbidden', clause: 'SONNX Gemm, C of the shape of the product' },
    ...rules(['Equal', 'Min', 'Mod', 'Expand'], unspecified),
    MatMul: matmul,
  },
  severities: { ...proof, 'no-specification': 'note' },
  maxRank: null,
}

/** The profiles that are built in, by name. */
export const profiles: Readonly<Record<'onnx' | 'sonnx-strict' | 'sonnx-broadcast', Profile>> = {
  onnx,
  'sonnx-strict': strict,
  'sonnx-broadcast': broadcast,
}

/** The name of a profile that comes with the package. */
export type ProfileName = keyof typeof profiles

/** What a profile says of the operator of a node; of one that multiplies matrices as MatMul does, what it says of that. */
export function operatorRule(
  { operators, broadcasting, clause }: Profile,
  { node: { domain, opType }, rule }: Pick<CheckedBroadcast, 'node' | 'rule'>,
): OperatorRule {
  const named = (key: string): OperatorRule | undefined => (Object.hasOwn(operators, key) ? operators[key] : undefined)
  const own = named(domain === '' ? opType : `${domain}:${opType}`)
  return own ?? (rule === matmulBatch.label ? named('MatMul') : undefined) ?? { broadcasting, clause }
}

/** How much a finding counts under a profile. */
export const severityOf = (profile: Profile, id: FindingId): Severity => profile.severities[id] ?? findingSeverities[id]
