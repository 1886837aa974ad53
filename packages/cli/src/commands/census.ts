// `bcast census FOLDER`: which operators of many models broadcast, how, and over what.

import path from 'node:path'
import { type Census, census, censusJson, censusMarkdown, censusSvg, censusText, type Model } from '@bcast/onnx'
import { folderFiles, modelFiles, readModelFile } from '@bcast/onnx/node'
import { Command } from 'commander'
import { choiceOption } from '../arguments/choice-option.ts'
import { outputOption } from '../arguments/output-option.ts'
import { reasonOf } from '../errors/file-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { checkNoStdin, weightFiles } from '../files/model/model-file.ts'
import { checkNotRead, type ReadFile } from '../files/model/read-files.ts'
import { isStdout } from '../files/writing/output.ts'
import { writeText } from '../files/writing/write-whole.ts'
import { examplesText } from '../help/examples.ts'
import { shownOn } from '../terminal/shown.ts'
import { type Stream, widthOf } from '../terminal/width.ts'

interface Options {
  readonly format: 'text' | 'json' | 'md' | 'svg'
  readonly output?: string
}

const examples = [
  { line: 'bcast census model.onnx broken.onnx', shows: 'count the broadcasts of models' },
  { line: 'bcast census . --format svg -o census.svg', shows: 'all models at or below a folder, as a picture' },
]

const formats: Readonly<Record<Options['format'], (counted: Census, stream: Stream) => string>> = {
  text: (counted, stream) => shownOn(stream, censusText(counted, { width: widthOf(stream) })),
  json: (counted) => JSON.stringify(censusJson(counted), null, 2),
  md: censusMarkdown,
  svg: censusSvg,
}

/** What the operating system says is said in the words of this program; the list has the name already. */
function modelIn(file: string): Model {
  try {
    return readModelFile(file).model
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    throw Object.assign(new Error(reason, { cause: error }), { code: (error as NodeJS.ErrnoException).code })
  }
}

function filesIn(places: readonly string[]): readonly string[] {
  for (const place of places) checkNoStdin(place)
  const files = modelFiles(...places)
  if (files.length === 0) throw new UsageError(`there is no .onnx file in ${places.join(', ')}.`)
  return files
}

/** Counts models, each read when its turn comes. The output must be none of them, nor hold their weights. */
function countedIn(files: readonly string[], output: string | undefined): Census {
  const what = `it is ${files.length === 1 ? 'the' : 'a'} model that is read`
  checkNotRead(
    output,
    files.map((file) => ({ path: file, what })),
  )
  const weights: ReadFile[] = []
  const modelFor = (name: string): Model => {
    const model = modelIn(name)
    weights.push(...weightFiles(name, model))
    return model
  }
  const counted = census(
    files.map((name) => ({ name, model: () => modelFor(name), files: folderFiles(path.dirname(name)) })),
  )
  checkNotRead(output, weights)
  return counted
}

export function censusCommand(): Command {
  return new Command('census')
    .description('count the broadcasts of ONNX models: operators, patterns, constants')
    .argument('<path...>', '.onnx files, and folders that are searched for them')
    .addOption(choiceOption('--format <kind>', 'the report', Object.keys(formats)).default('text'))
    .addOption(outputOption('write the report to a file, not to stdout'))
    .addHelpText('after', examplesText(examples))
    .action(async (places: readonly string[], { format, output }: Options) => {
      const counted = countedIn(filesIn(places), output)
      const stream = output === undefined || isStdout(output) ? process.stdout : {}
      await writeText(formats[format](counted, stream), output)
      if (counted.failures.length > 0) process.exitCode = 1
    })
}
