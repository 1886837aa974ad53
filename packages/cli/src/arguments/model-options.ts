// What the commands about ONNX models share: shapes for its inputs, the profile.
import { existsSync, readFileSync } from 'node:fs'
import { type Profile, ProfileError, profiles, readProfile } from '@bcast/onnx'
import type { SymbolicShape } from 'bcast'
import type { Command } from 'commander'
import { asFileError, FileError } from '../errors/file-error.ts'
import { suggestion } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { ReadFile } from '../files/model/read-files.ts'
import { parseInput } from './shape-argument.ts'

export type InputShapes = Readonly<Record<string, SymbolicShape>>

function collected(text: string, before: InputShapes = {}): InputShapes {
  const [name, shape] = parseInput(text)
  if (Object.hasOwn(before, name)) throw new UsageError(`--input names ${JSON.stringify(name)} twice.`)
  return { ...before, [name]: shape }
}

/** Adds --input, which may be given several times. */
export const addInputOption = (command: Command): Command =>
  command.option('--input <name=shape>', "an input's shape, such as x=1x3x224x224 or x=Nx3xHxW; repeatable", collected)

export const profileNames: readonly string[] = Object.keys(profiles)

/** A file with a profile, where it is not one by its name. */
export const profileFiles = (text: string): readonly ReadFile[] =>
  profileNames.includes(text) ? [] : [{ path: text, what: 'it is the profile that is read' }]

/** A built-in profile by its name, or a file with one. */
export function profileFrom(text: string): Profile {
  if (profileNames.includes(text)) return profiles[text as keyof typeof profiles]
  if (!text.endsWith('.json') && !existsSync(text)) {
    throw new UsageError(
      `--profile is ${JSON.stringify(text)}. ${suggestion(text, profileNames)} Or a file of your own, ours.json.`,
    )
  }
  try {
    return readProfile(JSON.parse(readFileSync(text, 'utf8').replace(/^\ufeff/, '')))
  } catch (error) {
    if (error instanceof ProfileError) throw new FileError(text, error.message, undefined, error)
    if (error instanceof SyntaxError) throw new FileError(text, `it is no JSON: ${error.message}.`, undefined, error)
    throw asFileError(text, error)
  }
}
