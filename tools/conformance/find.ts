// Finds what there is to judge at or below a path: case files and ONNX test directories.

import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { readCases } from './case.ts'
import { judgeCase } from './judge.ts'
import { onnxSubject } from './onnx/directory.ts'
import { BadCallError, failed, type Subject } from './outcome.ts'

const MODEL = 'model.onnx'
/** Lies beside ONNX test directories and describes them; it holds no case. */
const MANIFEST = 'manifest.json'

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadCallError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function caseSubjects(file: string): Subject[] {
  return readCases(readText(file), file).map((read) => ({
    id: read.id,
    judge: () => ('fault' in read ? failed('a case of the schema', read.fault) : judgeCase(read)),
  }))
}

interface Source {
  /** Tells sources apart when paths overlap. */
  readonly file: string
  readonly load: () => Subject[]
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    throw new BadCallError(`${folder} cannot be read: ${(error as Error).message}`)
  }
}

function* below(folder: string): Generator<Source> {
  const entries = entriesOf(folder)
  if (entries.some((entry) => entry.name === MODEL)) {
    yield { file: folder, load: () => [onnxSubject(folder)] }
    return
  }
  for (const entry of entries) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') yield* below(at)
    } else if (entry.name.endsWith('.json') && entry.name !== MANIFEST) {
      yield { file: at, load: () => caseSubjects(at) }
    }
  }
}

function sourcesAt(given: string): Source[] {
  let resolved: string
  try {
    resolved = realpathSync(given)
  } catch {
    throw new BadCallError(`${given} does not exist`)
  }
  const found = statSync(resolved).isDirectory() ? [...below(resolved)] : [...fileSource(resolved)]
  if (found.length === 0) throw new BadCallError(`${given} holds no case file and no ONNX test directory`)
  return found
}

function fileSource(file: string): Source[] {
  if (path.basename(file) === MODEL)
    return [{ file: path.dirname(file), load: () => [onnxSubject(path.dirname(file))] }]
  return file.endsWith('.json') ? [{ file, load: () => caseSubjects(file) }] : []
}

/** Everything to judge, read and checked; nothing is found twice when paths overlap. */
export function findSubjects(paths: readonly string[]): Subject[] {
  const sources = new Map<string, Source>()
  for (const given of paths) for (const source of sourcesAt(given)) sources.set(source.file, source)
  return [...sources.values()].flatMap(({ load }) => load())
}
