// `bcast check MODEL.onnx`: a verdict for every broadcast of a model, and findings with fixes that were tried.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CheckReport, checkModel, reportText } from '@bcast/onnx'
import { Command, Option } from 'commander'
import { choiceOption } from '../arguments/choice-option.ts'
import {
  addInputOption,
  type InputShapes,
  profileFiles,
  profileFrom,
  profileNames,
} from '../arguments/model-options.ts'
import { outputOption } from '../arguments/output-option.ts'
import { filesOfModel, openModel } from '../files/model/model-file.ts'
import { checkNotRead } from '../files/model/read-files.ts'
import { isStdout } from '../files/writing/output.ts'
import { writeText } from '../files/writing/write-whole.ts'
import { examplesText } from '../help/examples.ts'
import { type ReportFormat, reportDocument } from '../reports/report-document.ts'
import { shownOn } from '../terminal/shown.ts'
import { widthOf } from '../terminal/width.ts'

interface Options {
  readonly profile: string
  readonly input?: InputShapes
  readonly format: 'text' | ReportFormat
  readonly output?: string
  readonly all?: boolean
  readonly fixes: boolean
}

const examples = [
  { line: 'bcast check model.onnx', shows: 'every broadcast of a model, and what is wrong with it' },
  { line: 'bcast check broken.onnx', shows: 'which node fails, on which axis, why, and what would fix it (exit 1)' },
  {
    line: 'bcast check model.onnx --input x=1x3x224x224',
    shows: 'with a shape for an input that the file leaves open',
  },
  { line: 'bcast check model.onnx --profile sonnx-strict', shows: 'proof that no broadcast is implicit (exit 1)' },
  { line: 'bcast check model.onnx --format sarif -o check.sarif', shows: 'for tools that show findings' },
]

/** A file under this folder by its way from here, as a log is read elsewhere; any other by its whole name. */
function uriOf(file: string): string {
  const here = pathToFileURL(`${process.cwd()}${path.sep}`).href
  const whole = pathToFileURL(file).href
  return whole.startsWith(here) ? whole.slice(here.length) : whole
}

interface Written extends Options {
  readonly file: string
  readonly version: string | undefined
}

function reportOf(report: CheckReport, { file, version, format, all, output }: Written): string {
  if (format !== 'text') return reportDocument(report, format, { uri: uriOf(file), ...(version && { version }) })
  // A file has no width and takes no colour.
  const stream = output === undefined || isStdout(output) ? process.stdout : {}
  return shownOn(stream, reportText(report, { all: all === true, width: widthOf(stream) }))
}

export function checkCommand(): Command {
  const command = new Command('check')
    .description('check the broadcasts of an ONNX model: a verdict for each, findings, fixes')
    .argument('<model>', 'an .onnx file; external data is looked for beside it')
    .addOption(
      new Option('--profile <name|file>', 'what is demanded, or a JSON file of your own')
        .choices(profileNames)
        .default('onnx', 'onnx')
        // A misspelt name gets a suggestion from whoever reads the profile.
        .argParser((text: string) => text),
    )
  return addInputOption(command)
    .addOption(choiceOption('--format <kind>', 'the report', ['text', 'json', 'sarif', 'md']).default('text'))
    .addOption(outputOption('write the report to a file, not to stdout'))
    .option('--all', 'list every finding by itself, and every broadcast, those of equal shapes too')
    .option('--no-fixes', 'do not look for fixes, which takes time')
    .addHelpText('after', examplesText(examples))
    .action(async (file: string, options: Options, { parent }: Command) => {
      const { input: inputs = {}, fixes, output } = options
      const profile = profileFrom(options.profile)
      const { model, files } = openModel(file)
      checkNotRead(output, [...filesOfModel(file, model), ...profileFiles(options.profile)])
      const report = checkModel(model, { profile, inputs, fixes, files })
      await writeText(reportOf(report, { ...options, file, version: parent?.version() }), output)
      if (!report.passes) process.exitCode = 1
    })
}
