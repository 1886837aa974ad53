// `bcast run MODEL.onnx x=x.npy -o y.npy`: a model over arrays in files, with its element-wise parts fused.
import path from 'node:path'
import { inspect } from 'node:util'
import {
  AttributeError,
  NodeError,
  type Program,
  prepareModel,
  RunInputError,
  StructureError,
  type Value,
} from '@bcast/onnx'
import { BcastError, EngineError, fromData, type Tensor } from 'bcast'
import { Command } from 'commander'
import { engineOption } from '../arguments/engine-option.ts'
import { checkOutput } from '../arguments/output-option.ts'
import { type EngineChoice, startEngine } from '../engine/engine.ts'
import { nearest } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import { WantingError } from '../errors/wanting-error.ts'
import { readBlock } from '../files/blocks/block.ts'
import { rewindable } from '../files/blocks/spool.ts'
import { countOf, newElements, type StoredDType } from '../files/element.ts'
import { filesOfModel, openModel } from '../files/model/model-file.ts'
import { checkNotRead, identityOf, type ReadFile, realPlace } from '../files/model/read-files.ts'
import { openSink, openSource } from '../files/open.ts'
import { outputPlace } from '../files/place.ts'
import type { ArraySink } from '../files/sink.ts'
import { examplesText } from '../help/examples.ts'
import { shellWord } from '../terminal/shell-word.ts'
import { visible } from '../terminal/visible.ts'
import { isRemote, zarrPlace } from '../zarr/place.ts'

interface Options {
  readonly output?: readonly string[]
  readonly fuse: boolean
  readonly engine?: EngineChoice
}

const examples = [
  { line: 'bcast run model.onnx x=image.npy', shows: 'print what a model makes of an array' },
  { line: 'bcast run model.onnx x=image.npy -o y=y.npy', shows: 'write it to a file' },
]

const EXIT_CODES = `
Exit code 1: the model or its inputs were understood and do not work: another type or shape than declared, shapes that
do not meet, an integer divided by zero, broken names. 2: a bad call or file, or an operator that is not supported.
`

const MEMORY = 2 ** 26

async function loaded(spec: string): Promise<Tensor> {
  const source = await rewindable(await openSource(spec), MEMORY)
  try {
    const { dtype, shape } = source
    const elements = newElements(dtype, countOf(shape))
    await readBlock(
      source,
      shape.map(() => 0),
      shape,
      elements,
    )
    return fromData(dtype, elements as never, shape) as Tensor
  } finally {
    await source.close()
  }
}

function checkName(name: string, names: readonly string[], what: string): void {
  if (names.includes(name)) return
  const meant = nearest(name, names)
  const hint = meant === undefined ? `it has ${names.join(', ') || 'none'}.` : `did you mean ${meant}?`
  throw new UsageError(`the model has no ${what} ${JSON.stringify(name)}; ${hint}`)
}

/** `x=x.npy`, one of the model's names and a file. Names may have a = too: the longest that the text begins with counts. */
function named(text: string, names: readonly string[], what: string): readonly [name: string, spec: string] {
  const longest = names.filter((name) => text.startsWith(`${name}=`)).toSorted((a, b) => b.length - a.length)[0]
  const at = longest?.length ?? text.indexOf('=')
  if (at <= 0 || at === text.length - 1) {
    throw new UsageError(`${JSON.stringify(text)} is no ${what}; it is a name and a file, such as x=x.npy.`)
  }
  const name = text.slice(0, at)
  checkName(name, names, what)
  return [name, text.slice(at + 1)]
}

/** The error of the library speaks to programs; here it is the file that has to change. */
function checkType({ name, type }: Value, { dtype }: Tensor, spec: string): void {
  const wanted = type.kind === 'tensor' ? type.element : undefined
  if (wanted === undefined || wanted === dtype) return
  const fix = /\.json$/i.test(spec)
    ? `name the type: ${name}=${spec}:${wanted}.`
    : `convert it: bcast eval "cast(x, '${wanted}')" ${shellWord(`x=${spec}`)} -o converted.npy`
  throw new WantingError(`${spec} holds ${dtype}, and input ${JSON.stringify(name)} takes ${wanted}; ${fix}`)
}

async function inputsFrom(words: readonly string[], { inputs, optional }: Program): Promise<Record<string, Tensor>> {
  const names = inputs.map(({ name }) => name)
  const given: Record<string, Tensor> = {}
  for (const word of words) {
    const [name, spec] = named(word, names, 'input')
    if (Object.hasOwn(given, name)) throw new UsageError(`input ${JSON.stringify(name)} is given twice.`)
    given[name] = await loaded(spec)
    checkType(inputs[names.indexOf(name)]!, given[name], spec)
  }
  const missing = names.filter((name) => !optional.has(name) && !Object.hasOwn(given, name))
  if (missing.length > 0) {
    throw new UsageError(`the model needs ${missing.join(', ')}; give a file for each, such as ${missing[0]}=x.npy.`)
  }
  return given
}

/** The output that a text names, and its file; a file without a name is for the only output. */
function outputIn(text: string, names: readonly string[]): readonly [name: string, spec: string] {
  const [only, ...others] = names
  if (only === undefined || text.includes('=')) return named(text, names, 'output')
  if (others.length === 0) return [only, text]
  throw new UsageError(
    `${JSON.stringify(text)} does not say which output it is for; the model has ${names.join(', ')}. Such as ${only}=${text}.`,
  )
}

/** Where each output goes. */
function placesOf(specs: readonly string[], { outputs }: Program): ReadonlyMap<string, string> {
  const names = outputs.map(({ name }) => name)
  const places = new Map<string, string>()
  for (const text of specs) {
    const [name, spec] = outputIn(text, names)
    if (places.has(name)) throw new UsageError(`output ${JSON.stringify(name)} is written twice.`)
    places.set(name, spec)
  }
  return places
}

/** The file of an output, or the folder of a Zarr array. */
function fileOf(spec: string): string {
  const zarr = zarrPlace(spec)
  if (zarr === undefined) return outputPlace(spec).path
  return isRemote(zarr.store) ? `${zarr.store}/${zarr.path}` : path.join(zarr.store, zarr.path)
}

/** Each output has a file of its own, which is not one that the model is in, and no array has another in its folder. */
function checkFiles(specs: Iterable<string>, read: readonly ReadFile[]): void {
  const taken = new Set<string>()
  const folders: (readonly [spec: string, folder: string])[] = []
  for (const spec of specs) {
    const file = fileOf(spec)
    checkNotRead(file, read, spec)
    const own = identityOf(file)
    if (taken.has(own)) throw new UsageError(`${spec} would hold two outputs; name a file for each.`)
    taken.add(own)
    folders.push([spec, `${realPlace(file)}/`])
  }
  for (const [outer, folder] of folders) {
    const inner = folders.find(([spec, own]) => spec !== outer && own.startsWith(folder))
    if (inner !== undefined)
      throw new UsageError(`${inner[0]} would lie in ${outer}, another output; name a place beside it.`)
  }
}

/** Why a node fails: by what it is given, or because bcast cannot do it here. */
const isWanting = ({ cause }: NodeError): boolean =>
  cause instanceof AttributeError || (cause instanceof BcastError && !(cause instanceof EngineError))

/** Runs `use`; a model that does not work, with these inputs or any, is found wanting. */
function judged<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    const wanting =
      error instanceof RunInputError ||
      error instanceof StructureError ||
      (error instanceof NodeError && isWanting(error))
    throw wanting ? new WantingError(error.message, { cause: error }) : error
  }
}

async function opened(tensor: Tensor, spec: string): Promise<ArraySink> {
  if (tensor.dtype === 'string' || tensor.dtype === 'real') {
    throw new UsageError(`${spec}: a ${tensor.dtype} tensor has no form in files; without -o it is printed.`)
  }
  const description = { dtype: tensor.dtype as StoredDType, shape: tensor.shape }
  const zarr = zarrPlace(spec)
  return zarr === undefined
    ? openSink(spec, description)
    : (await import('../tasks/zarr-sink.ts')).openZarrSink(zarr, description)
}

/** Writes tensors beside their places; none is put into its place before all are whole. */
async function write(tensors: readonly (readonly [tensor: Tensor, spec: string])[]): Promise<void> {
  const sinks: ArraySink[] = []
  try {
    for (const [tensor, spec] of tensors) {
      const sink = await opened(tensor, spec)
      sinks.push(sink)
      await sink.write(tensor.data as never)
    }
    for (const sink of sinks) await sink.finish()
  } finally {
    for (const sink of sinks) await sink.abort()
  }
}

export function runCommand(): Command {
  return new Command('run')
    .description('run an ONNX model over arrays in files')
    .argument('<model>', 'an .onnx file; external data is looked for beside it')
    .argument('[inputs...]', 'a file for each input: x=x.npy, x=data.npz:x, x=x.bin:float32:2,3')
    .option(
      '-o, --output <name=file>',
      'write an output to a file; without it outputs are printed; repeatable',
      (text: string, before: readonly string[] = []) => [...before, checkOutput(text)],
    )
    .option('--no-fuse', 'run every node by itself')
    .addOption(engineOption())
    .addHelpText('after', `${EXIT_CODES}${examplesText(examples)}`)
    .action(async (file: string, words: readonly string[], { output = [], fuse, engine }: Options) => {
      const { model, files } = openModel(file)
      const program = judged(() => prepareModel(model, { files, fuse }))
      const places = placesOf(output, program)
      checkFiles(places.values(), filesOfModel(file, model))
      const inputs = await inputsFrom(words, program)
      await startEngine(engine)
      const results = judged(() => program.run(inputs))
      await write([...places].map(([name, spec]) => [results[name]!, spec]))
      if (places.size > 0) return
      for (const [name, tensor] of Object.entries(results)) {
        process.stdout.write(visible(`${name}: ${inspect(tensor)}\n`))
      }
    })
}
