// `bcast census FOLDER`: which operators of many models broadcast, how, and over what.

import path from 'node:path'
import { type Census, type CensusSource, census, censusJson, censusMarkdown, censusSvg, censusText } from '@bcast/onnx'
import { folderFiles, modelFiles, readModelFile } from '@bcast/onnx/node'
import { Command } from 'commander'
import { choiceOption } from '../choice.ts'
import { examplesText } from '../examples.ts'
import { writeText } from '../output.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  readonly format: 'text' | 'json' | 'md' | 'svg'
  readonly output?: string
}

const examples = [
  { line: 'bcast census model.onnx broken.onnx', shows: 'count the broadcasts of models' },
  { line: 'bcast census . --format svg -o census.svg', shows: 'all models at or below a folder, as a picture' },
]

const formats: Readonly<Record<Options['format'], (counted: Census) => string>> = {
  text: censusText,
  json: (counted) => JSON.stringify(censusJson(counted), null, 2),
  md: censusMarkdown,
  svg: censusSvg,
}

/** Every model once, read when its turn comes. */
function sourcesOf(places: readonly string[]): CensusSource[] {
  const files = [...new Set(places.flatMap(modelFiles))]
  if (files.length === 0) throw new UsageError(`there is no .onnx file in ${places.join(', ')}.`)
  return files.map((name) => ({ name, model: () => readModelFile(name).model, files: folderFiles(path.dirname(name)) }))
}

export function censusCommand(): Command {
  return new Command('census')
    .description('count the broadcasts of ONNX models: operators, patterns, constants')
    .argument('<path...>', '.onnx files, and folders that are searched for them')
    .addOption(choiceOption('--format <kind>', 'the report', Object.keys(formats)).default('text'))
    .option('-o, --output <file>', 'write the report to a file, not to stdout')
    .addHelpText('after', examplesText(examples))
    .action(async (places: readonly string[], { format, output }: Options) => {
      const counted = census(sourcesOf(places))
      await writeText(formats[format](counted), output)
      if (counted.failures.length > 0) process.exitCode = 1
    })
}
