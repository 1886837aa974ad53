// `bcast explicit MODEL.onnx -o OUT.onnx`: the same model with every broadcast an Expand of its own.
import path from 'node:path'
import {
  checkModel,
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
import { choiceOption } from '../choice.ts'
import { painted } from '../colour.ts'
import { examplesText } from '../examples.ts'
import { isStdout } from '../files/output.ts'
import { openModel } from '../model-file.ts'
import { addInputOption, type InputShapes } from '../model-options.ts'
import { writeWhole } from '../output.ts'
import { outputOption } from '../output-option.ts'
import { visible } from '../visible.ts'

interface Options {
  readonly input?: InputShapes
  readonly output?: string
  readonly format: 'text' | 'json'
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

/** The model for a file elsewhere: weights outside stay where they are only if the new file lies beside them. */
function placed(model: Model, files: ExternalFiles, from: string, to: string): Model {
  const isBeside = !isStdout(to) && path.dirname(path.resolve(from)) === path.dirname(path.resolve(to))
  if (isBeside || !hasExternalData(model)) return model
  note(`${to}: its weights, which lie in files beside ${from}, are put into the model itself.`)
  return embedExternalData(model, files)
}

export function explicitCommand(): Command {
  const command = new Command('explicit')
    .description('rewrite an ONNX model so that no broadcast is implicit: Expand does each')
    .argument('<model>', 'an .onnx file; external data is looked for beside it')
    .addOption(outputOption('where the new model goes; without it nothing is written'))
  return addInputOption(command)
    .addOption(choiceOption('--format <kind>', 'the report', ['text', 'json']).default('text'))
    .addHelpText('after', examplesText(examples))
    .action(async (file: string, { input: inputs = {}, output, format }: Options) => {
      const { model, files } = openModel(file)
      const { model: explicit, report } = makeExplicit(model, { inputs, files })
      if (output !== undefined) await writeWhole(output, writeModel(placed(explicit, files, file, output)))
      const text = format === 'json' ? JSON.stringify(explicitJson(report), null, 2) : painted(explicitText(report))
      // A model on stdout is alone there.
      const stream = output !== undefined && isStdout(output) ? process.stderr : process.stdout
      stream.write(`${text}\n`)
      if (output === undefined) note('Nothing was written; -o FILE writes the model.')
      if (checkModel(explicit, { inputs, files, profile: 'sonnx-strict', fixes: false }).passes) return
      note('Some of it is not proven: bcast check --profile sonnx-strict says what.')
      process.exitCode = 1
    })
}
