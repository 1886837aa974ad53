// Where the system refuses executable memory, for real, that is said once, and bcast computes as before. The program that
// is refused runs in a process of its own, because nobody is given back what is taken here.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { noMachineCode } from '../../../testing/machine-code.ts'
import { needs } from '../../../testing/needs.ts'

const flags = ['--conditions=bcast-source', '--import', 'tsx']
const program = fileURLToPath(new URL('refused.ts', import.meta.url))

const refused = (way: string, ...more: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...more, ...flags, program, way], { encoding: 'utf8' })

const SAID =
  '@bcast/native: bcast computes as it does without this package: the same results, slower. Cause: the system does not let memory be executed.\n'

describe('executable memory', needs('machine-code', noMachineCode === undefined), () => {
  it('is there', () => {
    expect(refused('none')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^machine code .* true\n$/),
      stderr: '',
    })
  })

  it('is refused by a policy, and WebAssembly computes', () => {
    expect(refused('filter')).toMatchObject({ status: 0, stdout: 'WebAssembly 120000 true\n', stderr: SAID })
  })

  it('is not asked for where threads could not be told how to call a kernel', () => {
    const { status, stdout, stderr } = refused('none', '--disallow-code-generation-from-strings')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'WebAssembly 120000 true\n' })
    expect(stderr).toContain('Cause: the process forbids code that is made of text')
  })

  // V8 asks for such memory too, unless it is told to interpret.
  const denied = noMachineCode === undefined ? refused('deny-write-execute', '--jitless') : undefined
  it(
    'is refused to the whole process, and the interpreter computes',
    needs('mdwe', denied?.stdout !== 'unknown\n'),
    () => {
      const { status, stdout, stderr } = denied!
      expect({ status, stdout }).toEqual({ status: 0, stdout: 'WebAssembly 120000 true\n' })
      expect(stderr.split(SAID)).toHaveLength(2)
    },
  )
})
