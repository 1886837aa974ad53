// What the table says of one model: its nodes and broadcasts, which follow from the file alone, and what runs show.
import { checkModel, dimConstant, type Model, makeExplicit, scopesOf } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { listedValues } from '../../testing/models/onnx-disagreements.ts'
import { bareModel, compareWithOnnx } from '../../testing/models/onnxsim.ts'
import { differenceInRun, judgeRun, type RealModel, shapesOf } from '../../testing/models/real-runs.ts'
import { type RunTimes, runTimes } from './run-times.ts'

/** What follows from the file. */
export interface StaticFigures {
  readonly name: string
  /** Those of branches and functions included. */
  readonly nodes: number
  readonly broadcasts: string
  /** Nodes that the explicit rewrite adds. */
  readonly added: number
  /** What the operands that it expands take in the first run. */
  readonly bytes: number
}

/** What runs in onnxruntime show, over all sizes of the inputs. */
export interface RunFigures {
  readonly runs: number
  readonly values: number
  /** Values whose shape inference knows, and rightly, when it is told the sizes of the run. */
  readonly fixed: number
  /** The same when it is told nothing: expressions of the inputs' sizes are right for those of the run. */
  readonly open: number
  /** Runs in which the model and its explicit rewrite give the same bits: the one for any sizes, and the one for those of the run. */
  readonly same: number
  readonly faults: readonly string[]
}

/** What ONNX's own inference says, with the sizes of each run and with those that the file leaves open. */
export interface OnnxFigures {
  /** Sizes that it knows, and alike. */
  readonly alike: number
  /** Sizes that are known here and not to it. */
  readonly more: number
  /** Values of which it says something else, or more; each is on the list of known disagreements. */
  readonly disagreements: number
  /** Differences to that list. */
  readonly unlisted: readonly string[]
}

export type Figures = StaticFigures & RunFigures & OnnxFigures & { readonly times: RunTimes }

const nodesOf = (model: Model): number => [...scopesOf(model)].reduce((sum, { nodes }) => sum + nodes.length, 0)

function broadcastText(model: Model): string {
  const { equal, broadcast, conditional, unknown, error } = checkModel(model, { fixes: false }).verdicts
  const parts = [
    `${broadcast} stretch`,
    `${equal} equal`,
    ...(conditional > 0 ? [`${conditional} depend on sizes`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(error > 0 ? [`${error} fail`] : []),
  ]
  return parts.join(', ')
}

export function staticFigures({ name, runs }: RealModel, model: Model): StaticFigures {
  const { totals } = makeExplicit(model, { inputs: shapesOf(runs[0]!) }).report
  return {
    name,
    nodes: nodesOf(model),
    broadcasts: broadcastText(model),
    added: makeExplicit(model).report.totals.nodes,
    bytes: Number(dimConstant(totals.bytes)),
  }
}

async function runFigures(model: Model, runs: RealModel['runs']): Promise<RunFigures> {
  const sum = { values: 0, fixed: 0, open: 0, same: 0 }
  const faults: string[] = []
  const explicit = makeExplicit(model).model
  for (const feeds of runs) {
    const { values, fixed, open } = await judgeRun(model, feeds)
    sum.values += values
    sum.fixed += fixed.tally.fixed + fixed.tally.symbolic
    sum.open += open.tally.fixed + open.tally.symbolic
    faults.push(...fixed.faults, ...open.faults)
    for (const other of [explicit, makeExplicit(model, { inputs: shapesOf(feeds) }).model]) {
      const difference = await differenceInRun(model, other, feeds)
      if (difference === undefined) sum.same++
      else faults.push(`the explicit rewrite: ${difference}`)
    }
  }
  return { runs: runs.length, ...sum, faults }
}

async function onnxFigures(name: string, model: Model, runs: RealModel['runs']): Promise<OnnxFigures> {
  const sum = { alike: 0, more: 0, disagreements: 0 }
  const unlisted: string[] = []
  for (const run of [undefined, ...runs.keys()]) {
    const compared = await compareWithOnnx(bareModel(model, run === undefined ? {} : shapesOf(runs[run]!)))
    if (compared === undefined) {
      unlisted.push('ONNX refuses the model')
      continue
    }
    sum.alike += compared.alike
    sum.more += compared.more
    sum.disagreements += compared.disagreements.length
    const listed = new Set(listedValues(name, run))
    for (const { value, ours, onnx } of compared.disagreements) {
      if (!listed.delete(value)) unlisted.push(`${value} is ${ours}, to ONNX ${onnx}`)
    }
    unlisted.push(...[...listed].map((value) => `${value} is on the list and alike`))
  }
  return { ...sum, unlisted }
}

export async function figuresOf(real: RealModel): Promise<Figures> {
  const { name, file, runs } = real
  const { model } = readModelFile(file)
  return {
    ...staticFigures(real, model),
    ...(await runFigures(model, runs)),
    ...(await onnxFigures(name, model, runs)),
    times: await runTimes(real, model),
  }
}
