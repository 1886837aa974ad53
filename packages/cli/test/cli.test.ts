// The program as people run it: in a process of its own, judged by exit code and streams.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function bcast(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const node = ['--conditions=bcast-source', '--import', 'tsx', 'packages/cli/src/main.ts', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { cwd: root, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

describe('without arguments', () => {
  it('shows a broadcast explained, a failing one with its fix, and a result', () => {
    const { code, stdout, stderr } = bcast()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('(2,3,4) with (3,1) under numpy gives (2,3,4)')
    expect(stdout).toContain('fix: reshape B from (3) to (3,1,1) → (2,3,2,2)   b.reshape(3, 1, 1)')
    expect(stdout).toContain('[[-1. -1. -1.]\n [10. 10. 10.]]')
  })
})

describe('explain', () => {
  it('exits 0 and prints the verdict on stdout when shapes meet', () => {
    const { code, stdout, stderr } = bcast('explain', '2,3,4', '3,1', '()')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toBe('(2,3,4) with (3,1) with () under numpy gives (2,3,4)')
  })

  it('exits 0 and says the condition when sizes are not known', () => {
    const { code, stdout } = bcast('explain', '(N,3)', '[4,M]')
    expect(code).toBe(0)
    expect(stdout).toContain('(N = 1 or N = 4) and (M = 1 or M = 3)')
  })

  it('exits 1 with the explanation on stdout when they do not meet', () => {
    const { code, stdout, stderr } = bcast('explain', '2,3,4', '2,4')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('cannot broadcast axis -2: 3 vs 2')
  })

  it('takes rules with their options', () => {
    expect(bcast('explain', '2,3,4,5', '3,4', '--rule', 'pdpd', '--axis', '1').code).toBe(0)
    expect(bcast('explain', '2,3,4,5', '3,4', '--rule', 'onnxLegacy', '--axis', '1').code).toBe(0)
    expect(bcast('explain', '2,3,4,5', '4', '--rule', 'explicit', '--axes', '2').code).toBe(0)
    expect(bcast('explain', '2,3', '1,3', '--rule', 'none').code).toBe(1)
  })

  it('prints JSON', () => {
    const { stdout } = bcast('explain', '2,3', '?,2..3', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'conditional', shape: [2, 3], rule: 'numpy' })
  })

  it.each([
    [['explain', '2,x-3'], '"x-3" in shape "2,x-3" is no size'],
    [['explain', '2,-3', '2'], '"-3" in shape "2,-3" is no size'],
    [['explain', ''], 'an empty shape'],
    [['explain'], "missing required argument 'shapes'"],
    [['explain', '2', '--rule', 'numpi'], "argument 'numpi' is invalid"],
    [['explain', '2', '--axis', 'one'], '--axis is "one"; it is an integer'],
    [['explain', '2,3', '3', '--rule', 'pdpd', '--axis', '-2'], 'pdpd: axis is -2'],
    [['explain', '2,3', '3', '--rule', 'explicit'], 'rule explicit needs --axes'],
    [['explian', '2,3'], 'Did you mean explain?'],
  ])('exits 2 with the reason on stderr: %j', (args, reason) => {
    const { code, stdout, stderr } = bcast(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })

  it('shows help on stdout', () => {
    const { code, stdout } = bcast('explain', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('bcast explain 2,3,4 3,1')
  })
})
