// What the table says of one model: its nodes and broadcasts, which follow from the file alone, and what runs show.
import { checkModel, type Model, scopesOf } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { judgeRun, type RealModel } from '../../packages/onnx/test/support/real-runs.ts'

/** What follows from the file. */
export interface StaticFigures {
  readonly name: string
  /** Those of branches and functions included. */
  readonly nodes: number
  readonly broadcasts: string
}

/** What runs in onnxruntime show, over all sizes of the inputs. */
export interface RunFigures {
  readonly runs: number
  readonly values: number
  /** Values whose shape inference knows, and rightly, when it is told the sizes of the run. */
  readonly fixed: number
  /** The same when it is told nothing: expressions of the inputs' sizes are right for those of the run. */
  readonly open: number
  readonly faults: readonly string[]
}

export type Figures = StaticFigures & RunFigures

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

export const staticFigures = (name: string, model: Model): StaticFigures => ({
  name,
  nodes: nodesOf(model),
  broadcasts: broadcastText(model),
})

export async function figuresOf({ name, file, runs }: RealModel): Promise<Figures> {
  const { model } = readModelFile(file)
  const sum = { values: 0, fixed: 0, open: 0 }
  const faults: string[] = []
  for (const feeds of runs) {
    const { values, fixed, open } = await judgeRun(model, feeds)
    sum.values += values
    sum.fixed += fixed.tally.fixed + fixed.tally.symbolic
    sum.open += open.tally.fixed + open.tally.symbolic
    faults.push(...fixed.faults, ...open.faults)
  }
  return { ...staticFigures(name, model), runs: runs.length, ...sum, faults }
}
