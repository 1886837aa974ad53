// `npm run models`: every real model of the development packages is run in onnxruntime for inputs of several sizes and
// compared value by value; the table goes into the README of @bcast/onnx, their census into docs. Exits with 1 when
// anything is wrong.
import { readFileSync, writeFileSync } from 'node:fs'
import { readModelFile } from '@bcast/onnx/node'
import { realModels } from '../../testing/models/real-runs.ts'
import { commandLine } from '../command-line/command-line.ts'
import { censusDocuments } from './census.ts'
import { type Figures, figuresOf } from './figures.ts'
import { syntheticTimes, timedCheck } from './speed.ts'
import { readme, tableText, withTable } from './table.ts'

const USAGE = `usage: npm run models

Runs every real model of the development packages here and in onnxruntime, for inputs of several sizes, and compares
every value. Writes the table into packages/onnx/README.md and the census into docs.

  --help  prints this`

commandLine(USAGE, {})

const figures: Figures[] = []
for (const model of realModels) {
  const made = await figuresOf(model)
  figures.push(made)
  console.log(`${made.name}: ${made.values} values in ${made.runs} runs, ${made.faults.length} wrong`)
  for (const fault of made.faults) console.log(`  WRONG ${fault}`)
  for (const difference of made.unlisted) console.log(`  NOT LISTED ${difference}`)
}

const largest = figures.reduce((a, b) => (b.nodes > a.nodes ? b : a)).name
const { model } = readModelFile(realModels.find(({ name }) => name === largest)!.file)
const table = tableText(figures, timedCheck(largest, model, 5), syntheticTimes(), new Date())
writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), table))
for (const { file, text } of censusDocuments()) writeFileSync(file, text)
console.log(`\n${table}`)
process.exitCode = figures.every(({ faults, unlisted }) => faults.length + unlisted.length === 0) ? 0 : 1
