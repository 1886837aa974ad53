// `bcast explicit MODEL.onnx -o OUT.onnx`: the same model with every broadcast an Expand of its own.
import path from 'node:path'
import {
  type ExternalFiles,
  embedExternalData,
  explicitJson,
  explicitText,
  hasExternalData,
  type Model,
  makeExplicit,
  writeModel,
} from '@bcast/onnx'
import { Command } from 'commander'
import { choiceOption } from '../arguments/choice-option.ts'
import { addInputOption, type InputShapes } from '../arguments/model-options.ts'
import { outputOption } from '../arguments/output-option.ts'
import { openModel, weightFiles } from '../files/model/model-file.ts'
import { checkNotRead, realPlace } from '../files/model/read-files.ts'
import { isStdout } from '../files/writing/output.ts'
import { writeWhole } from '../files/writing/write-whole.ts'
import { examplesText } from '../help/examples.ts'
import { shownOn } from '../terminal/shown.ts'
import { visible } from '../terminal/visible.ts'

interface Options {
  readonly input?: InputShapes
  readonly output?: string
  readonly fixDefaults?: true
  readonly format: 'text' | 'json'
  readonly all?: boolean
}

const examples = [
  { line: 'bcast explicit model.onnx', shows: 'what would be expanded, and what that takes; nothing is written' },
  { line: 'bcast explicit model.onnx -o explicit.onnx', shows: 'write the model; the same results to the bit' },
  {
    line: 'bcast explicit model.onnx --input x=1x3x224x224 -o fixed.onnx && bcast check fixed.onnx --profile sonnx-strict',
    shows: 'fix the shape of an input, then prove that no broadcast is implicit',
  },
]

const note = (text: string): void => void process.stderr.write(visible(`${text}\n`))

/** Writes the model: weights outside stay where they are only if the new file lies beside them. */
async function write(model: Model, files: ExternalFiles, from: string, to: string): Promise<void> {
  const isBeside = !isStdout(to) && realPlace(path.dirname(from)) === path.dirname(realPlace(to))
  if (isBeside || !hasExternalData(model)) return writeWhole(to, writeModel(model))
  await writeWhole(to, writeModel(embedExternalData(model, files)))
  note(`${to}: its weights, which lie in files beside ${from}, were put into the model itself.`)
}

export function explicitCommand(): Command {
  const command = new Command('explicit')
    .description('rewrite an ONNX model so that no broadcast is implicit: Expand does each')
    .argument('<model>', 'an .onnx file; external data is looked for beside it')
    .addOption(outputOption('where the new model goes; without it nothing is written'))
  return addInputOption(command)
    .option('--fix-defaults', 'make constants of inputs that have a default and are not named by --input')
    .addOption(choiceOption('--format <kind>', 'the report', ['text', 'json']).default('text'))
    .option('--all', 'list every node that was rewritten by itself')
    .addHelpText('after', examplesText(examples))
    .action(async (file: string, { input: inputs = {}, output, fixDefaults, format, all }: Options) => {
      const { model, files } = openModel(file)
      // It is written when all of it is read, so it may take the place of the model; not that of the weights.
      checkNotRead(output, weightFiles(file, model))
      const { model: explicit, report } = makeExplicit(model, {
        inputs,
        files,
        defaults: fixDefaults ? 'fixed' : 'open',
      })
      if (output !== undefined) await write(explicit, files, file, output)
      // A model on stdout is alone there.
      const stream = output !== undefined && isStdout(output) ? process.stderr : process.stdout
      const text =
        format === 'json'
          ? JSON.stringify(explicitJson(report), null, 2)
          : shownOn(stream, explicitText(report, { all: all === true }))
      stream.write(`${text}\n`)
      if (output === undefined) note('Nothing was written; -o FILE writes the model.')
      if (report.unproven.length === 0) return
      note('Some of it is not proven, as the report lists; bcast check --profile sonnx-strict says more.')
      if (report.defaults.open.length > 0) note('--fix-defaults makes constants of the inputs that have a default.')
      process.exitCode = 1
    })
}
