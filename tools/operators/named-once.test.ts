// Facts about an operator live in its row. In product sources its ONNX name stands there, in the specification, and where
// something is said of this operator that is no fact of it: a finding, a rewriting, a profile, the history of ONNX.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operators } from 'bcast'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

const names = Object.values(operators).flatMap(({ onnx }) => (onnx === undefined ? [] : [onnx.name]))

const sources = readdirSync(join(root, 'packages'))
  .flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' }).map(
      (file) => `packages/${name}/src/${file.replaceAll('\\', '/')}`,
    ),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('_pb.ts'))

const ROWS = /^packages\/bcast\/src\/expr\/rows\//
const SPECIFICATION = /^packages\/spec\/src\//

/** Where else operators are named, and what is said of them there. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'packages/onnx/src/check/lints/failures.ts': 'a finding about PRelu',
  'packages/onnx/src/check/lints/unlikely.ts': 'a finding about PRelu',
  'packages/onnx/src/check/lints/values.ts': 'a finding about divisors',
  'packages/onnx/src/check/profile.ts': 'what a safety profile says of operators',
  'packages/onnx/src/explicit/branches.ts': 'a node that a rewriting adds',
  'packages/onnx/src/explicit/power.ts': 'a rewriting of powers',
  'packages/onnx/src/explicit/rewrite.ts': 'a node that a rewriting adds',
  'packages/onnx/src/explicit/support.ts': 'a node that a rewriting adds',
  'packages/onnx/src/explicit/raise/changes.ts': 'what changed between operator sets',
  'packages/onnx/src/infer/operators/contrib.ts': 'operators of com.microsoft that bear such a name',
  'packages/onnx/src/infer/operators/unary.ts': 'Identity, which passes on any kind of value',
  'packages/onnx/src/run/operators/reshape.ts': 'Identity, which passes on any kind of value',
  'packages/onnx/src/run/operators/recurrent.ts': 'activations that a recurrent network names',
}

/** The operators that a file names as text or as a key; comments do not count. */
function namedIn(file: string): readonly string[] {
  const code = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
  return names.filter((name) => new RegExp(`['"\`]${name}['"\`]|[{,\\s]${name}: `).test(code))
}

const found = sources.map((file) => ({ file, named: namedIn(file) })).filter(({ named }) => named.length > 0)

describe('an operator is named', () => {
  it.each(names)('%s: in one file of rows', (name) => {
    const files = found.filter(({ file, named }) => ROWS.test(file) && named.includes(name))
    expect(files).toHaveLength(1)
  })

  it('in no table beside the rows and the specification', () => {
    const other = found.filter(({ file }) => !ROWS.test(file) && !SPECIFICATION.test(file))
    expect(other.filter(({ file }) => !Object.hasOwn(ELSEWHERE, file))).toEqual([])
    // One that names none any more is taken from the list.
    expect(Object.keys(ELSEWHERE).filter((file) => other.every((each) => each.file !== file))).toEqual([])
  })
})
