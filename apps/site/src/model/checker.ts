// What the worker does with a model. It brings the library's part for models along, so the worker loads it by itself.
import { type ReportFormat, reportDocument } from '@bcast/cli/reports'
import {
  type CheckReport,
  checkModel,
  type ExternalFiles,
  embedExternalData,
  explicitText,
  externalLocations,
  type Model,
  makeExplicit,
  type Profile,
  type ProfileName,
  profiles,
  readModel,
  writeModel,
} from '@bcast/onnx'
import manifest from '../../package.json' with { type: 'json' }
import { filesBeside } from './beside.ts'
import { inSteps } from './in-steps.ts'
import type { Asked, Written, WrittenFile } from './protocol.ts'
import { readWhole } from './read.ts'
import { type ModelReport, modelReport } from './report.ts'

/** A model that was checked. */
export interface Checked {
  readonly name: string
  readonly bytes: number
  readonly model: Model
  readonly files: ExternalFiles
  /** Files with weights that came along. */
  readonly given: ReadonlySet<string>
  readonly report: CheckReport
}

export type Tell = (text: string, done?: number) => void

const profileOf = (name: string): Profile => profiles[(Object.hasOwn(profiles, name) ? name : 'onnx') as ProfileName]

export async function check(
  { model: file, beside, profile }: Extract<Asked, { kind: 'check' }>,
  tell: Tell,
): Promise<Checked> {
  const bytes = await readWhole(file, (done) => tell(`Reading ${file.name}`, done))
  tell('Decoding')
  const model = readModel(bytes)
  const checking = `Checking ${model.graph.nodes.length} nodes`
  tell(checking, 0)
  const files = filesBeside(beside)
  const given = new Set([...externalLocations(model)].filter((location) => files.open(location) !== undefined))
  const report = checkModel(model, {
    ...{ profile: profileOf(profile), files },
    progress: inSteps((done) => tell(checking, done)),
  })
  return { name: file.name, bytes: file.size, model, files, given, report }
}

/** The same model under another profile. */
export const recheck = (checked: Checked, profile: string): Checked => ({
  ...checked,
  report: checkModel(checked.model, { profile: profileOf(profile), files: checked.files }),
})

export const shownOf = ({ name, bytes, given, report }: Checked): ModelReport =>
  modelReport(report, { file: name, bytes, given })

/** The explicit model as a file of its own: weights that came along go into it. */
function explicitFile({ name, model, files, given }: Checked): WrittenFile {
  const { model: explicit, report } = makeExplicit(model, { files })
  const locations = [...externalLocations(explicit)]
  const isWhole = locations.every((location) => given.has(location))
  const content = writeModel(isWhole && locations.length > 0 ? embedExternalData(explicit, files) : explicit)
  const weights = isWhole
    ? 'Its weights were put into the model itself.'
    : `Its weights stay where they are: keep it beside ${locations.join(', ')}.`
  return {
    name: `${name.replace(/\.onnx$/i, '')}.explicit.onnx`,
    type: 'application/octet-stream',
    content: content as Uint8Array<ArrayBuffer>,
    notes: [explicitText(report), ...(locations.length === 0 ? [] : [weights])].join('\n'),
  }
}

const TYPES: Readonly<Record<ReportFormat, string>> = {
  json: 'application/json',
  sarif: 'application/sarif+json',
  md: 'text/markdown',
}

/** As the command line names a file in its own folder. */
const uriOf = (name: string): string => encodeURI(name).replace(/[?#]/g, encodeURIComponent)

/** What is taken away of a model. */
export function fileOf(checked: Checked, what: Written): WrittenFile {
  if (what === 'explicit') return explicitFile(checked)
  const { name, report } = checked
  const content = reportDocument(report, what, { uri: uriOf(name), version: manifest.version })
  return { name: `${name.replace(/\.onnx$/i, '')}.${what}`, type: TYPES[what], content, notes: '' }
}
