// `bcast explain`: verdicts and exit codes, rules with their options, JSON, colour, messages.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { needs } from '../../../../testing/needs.ts'
import { called } from '../support/called.ts'
import { bcast, program } from '../support/program.ts'

const explain = (...args: string[]) => bcast(['explain', ...args])

const explained = (...args: string[]) => called(['explain', ...args])

const schema = JSON.parse(readFileSync(new URL('../../../bcast/schema/explain.schema.json', import.meta.url), 'utf8'))

describe('verdicts', () => {
  it('exits 0 and prints the verdict on stdout when shapes meet', async () => {
    const { code, stdout, stderr } = await explain('2,3,4', '3,1', '()')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toBe('(2,3,4) with (3,1) with () under numpy gives (2,3,4)')
  })

  it('exits 0 and says the condition when sizes are not known', async () => {
    const { code, stdout } = await explain('(N,3)', '[4,M]')
    expect(code).toBe(0)
    expect(stdout).toContain('(N = 1 or N = 4) and (M = 1 or M = 3)')
  })

  it('exits 1 with the explanation on stdout when they do not meet', async () => {
    const { code, stdout, stderr } = await explain('2,3,4', '2,4')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('cannot broadcast axis -2: 3 vs 2')
    expect(stdout).toContain('b.reshape(2, 1, 4)')
  })
})

describe('rules', () => {
  it.each<[string, string, number]>([
    ['2,3,4,5 3,4', '--rule pdpd --axis 1', 0],
    ['2,3,4,5 3,4,1', '--rule pdpd --axis 2 --untrimmed', 1],
    ['2,3,4 3,1,4', '--rule pdpd --inner-ones error', 1],
    ['3,4 2,3,4,5', '--rule paddle --axis 1', 0],
    ['2,3,4,5 3,4', '--rule onnxLegacy --axis 1', 0],
    ['2,3 3', '--rule onnxLegacy --broadcast 0', 1],
    ['2,3,4,5 4', '--rule explicit --axes 2', 0],
    ['2,3 1', '--rule explicit --axes 1 --strict', 1],
    ['2,3,4 2,4', '--rule explicit --new-axes 1', 0],
    ['2,3 1,3', '--rule none', 1],
    ['1,3 2,3', '--rule unidirectional', 1],
    ['1,3 2,3', '--rule unidirectional --onto B', 0],
    ['1,3 2,1', '--rule bidirectional', 0],
    ['0 1', '--rule sonnx', 1],
    ['2,3,4 3', '--rule openvinoPrelu', 0],
    ['5,2,3 4,3,7', '--rule matmulBatch', 1],
  ])('%s %s exits %i', async (shapes, options, code) => {
    expect(await explained(...shapes.split(' '), ...options.split(' '))).toMatchObject({ code, stderr: '' })
  })
})

describe('a bad call', () => {
  it.each([
    [['2,x-3'], '"x-3" in shape "2,x-3" is no size'],
    [['2,-3', '2'], '"-3" in shape "2,-3" is no size'],
    [[''], 'an empty shape'],
    [[], 'no shapes'],
    [['2', '--axis', 'one', '--rule', 'pdpd'], '--axis is "one"; it is an integer'],
    [['2', '--axis', '1'], 'rule numpy does not read --axis; it is for pdpd, paddle, onnxLegacy'],
    [['2,3', '3', '--rule', 'pdpd', '--axis', '-2'], 'pdpd: axis is -2'],
    [['2,3', '3', '--rule', 'explicit'], 'rule explicit needs --axes'],
    [['2,3', '3', '--rule', 'unidirectional', '--onto', 'C'], '--onto is "C"; it is one of the operands, A to B'],
    [['2,3', '3', '--onto', 'A'], 'rule numpy does not read --onto: it keeps no operand'],
    [['8..2', '5'], '"8..2" in shape "8..2" holds no size: 8 is above 2'],
    [['--from', 'auto', 'Incompatible shapes: [2] vs. [3]', '--rule', 'pdpd'], 'does not read --rule'],
    [['--from', 'auto', 'Incompatible shapes: [2] vs. [3]', '--onto', 'B'], 'does not read --onto'],
    [['--from', 'auto', 'nothing of the kind'], 'no message about shapes that bcast knows'],
    [['--from', 'jax', 'operands could not be broadcast together with shapes (2,) (3,)'], 'this is one of numpy'],
    [['--from', 'auto', ' '], 'an empty message'],
  ])('exits 2 with the reason on stderr: %j', async (args, reason) => {
    const { code, stdout, stderr } = await explained(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })
})

describe('--json', () => {
  it.each([
    ['2,3', '?,2..3'],
    ['2,3,4', '2,4'],
    ['N,N', '3,4'],
    ['3', '3,1'],
    ['...', '2,3'],
    ['2,3', '2,3,4', '--rule', 'unidirectional'],
    ['--from', 'auto', 'operands could not be broadcast together with shapes (2,3) (4,)'],
    ['--from', 'auto', 'The size of tensor a (3) must match the size of tensor b (s0) at non-singleton dimension 1'],
    ['--from', 'auto', 'required broadcastable shapes'],
    ['--from', 'auto', 'mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)'],
  ])('is as the schema says: %s %s %s', async (...args) => {
    const { stdout } = await explained(...args, '--json')
    expect(faults(JSON.parse(stdout), schema)).toEqual([])
  })

  it('has the verdict, the shape, the conditions and the fixes', async () => {
    const conditional = JSON.parse((await explained('2,3', '?,2..3', '--json')).stdout)
    expect(conditional).toMatchObject({ version: 1, verdict: 'conditional', shape: [2, 3], rule: 'numpy' })
    expect(conditional.condition).toContain('B[-1] = 3')
    const failing = JSON.parse((await explained('2,3,4', '2,4', '--json')).stdout)
    expect(failing).toMatchObject({ verdict: 'error', shape: null, failure: { axis: -2, operands: [0, 1] } })
    expect(failing.fixes[0]).toMatchObject({ code: 'b.reshape(2, 1, 4)', result: [2, 3, 4] })
  })
})

describe('colour', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour is control characters.
  const plain = (text: string) => text.replace(/\u001b\[\d+m/g, '')
  const call = ['explain', '2,3,4', '2,4']

  it('is not for what is piped', async () => {
    expect((await bcast(call)).stdout).not.toContain('\u001b')
  })

  // util-linux has a program that makes a terminal for another.
  it('is for terminals, if they can', needs('script', spawnSync('script', ['--version']).status === 0), () => {
    const inTerminal = (env: NodeJS.ProcessEnv) =>
      spawnSync('script', ['-qec', `'${process.execPath}' '${program}' ${call.join(' ')}`, '/dev/null'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      }).stdout
    expect(inTerminal({})).toContain('\u001b[31m')
    expect(inTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[31m')
    expect(inTerminal({ TERM: 'dumb' })).not.toContain('\u001b[31m')
  })

  it('is forced by FORCE_COLOR, forbidden by NO_COLOR, and changes nothing else', async () => {
    const usual = await called(call)
    const forced = await called(call, { env: { FORCE_COLOR: '1' } })
    const forbidden = await called(call, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(forced.stdout).toContain('\u001b[31m')
    expect(plain(forced.stdout)).toBe(usual.stdout)
    expect(forbidden.stdout).toBe(usual.stdout)
  })

  it('never gets into JSON', async () => {
    expect((await called([...call, '--json'], { env: { FORCE_COLOR: '1' } })).stdout).not.toContain('\u001b')
  })
})

describe('--from', () => {
  it('explains the shapes of a message, with fixes', async () => {
    const { code, stdout } = await explain(
      '--from',
      'numpy',
      'ValueError: operands could not be broadcast together with shapes (32,10) (32,)',
    )
    expect(code).toBe(1)
    expect(stdout).toContain('cannot broadcast axis -1: 10 vs 32')
    expect(stdout).toContain('b.reshape(32, 1)')
  })

  it('says what is not in a message', async () => {
    const message = 'The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1'
    const { code, stdout } = await explained('--from', 'torch', message)
    expect(code).toBe(1)
    expect(stdout).toContain('a       ?    3!  …\n')
    expect(stdout).toContain('Not in the message: the shapes.')
  })

  it('reads a log on stdin, with every message in it', async () => {
    const input = [
      'TypeError: add got incompatible shapes for broadcasting: (83,), (88,).',
      'RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 5x3)',
    ].join('\nTraceback:\n')
    for (const args of [
      ['--from', 'auto', '-'],
      ['--from', 'auto'],
    ]) {
      const { code, stdout } = await bcast(['explain', ...args], { input })
      expect(code).toBe(1)
      expect(stdout).toContain('cannot broadcast axis -1: 83 vs 88')
      expect(stdout).toContain('a matrix product, no broadcast')
      expect(stdout).toContain('The right one transposed would fit: (3,5).')
    }
  })

  it('explains what is sound in a log that is damaged elsewhere', async () => {
    const of = (shapes: string): string => `operands could not be broadcast together with shapes ${shapes}`
    const log = [
      of('(2,3) (4,)'),
      of('(99999999999999999999999,3) (4,)'),
      'The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 30000000',
    ].join('\n')
    const { code, stdout } = await explained('--from', 'auto', log)
    expect(code).toBe(1)
    expect(stdout).toContain('cannot broadcast axis -1: 3 vs 4 (shapes [2,3] and [4])')
    expect(stdout).toContain('the message has the number 99999999999999999999… (23 digits)')
    expect(stdout).toContain("damaged, or no tensor's: axis 30000000, and at most 64 axes.")
  })

  it('exits 0 where the rule allows what a framework refused', async () => {
    const message = 'Broadcast between [50,1,20,10] and [50,30,20,1] is not supported yet.'
    const { code, stdout } = await explained('--from', 'tensorflow', message)
    expect(code).toBe(0)
    expect(stdout).toContain('gives (50,30,20,10)')
  })

  it('explains some messages of one wording and counts them all; --all explains each', async () => {
    const log = Array.from(
      { length: 9 },
      (_, i) => `operands could not be broadcast together with shapes (3${i},10) (32,)`,
    )
    const { stdout } = await explained('--from', 'auto', log.join('\n'))
    expect(stdout.match(/^NumPy: /gm)).toHaveLength(3)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '9 messages: 9 fail; 6 of the same wording as others are not explained here, --all explains them',
    )
    const whole = (await explained('--from', 'auto', '--all', log.join('\n'))).stdout
    expect(whole.match(/^NumPy: /gm)).toHaveLength(9)
    expect(whole.trimEnd().split('\n').at(-1)).toBe('9 messages: 9 fail')
    expect(JSON.parse((await explained('--json', '--from', 'auto', log.join('\n'))).stdout).messages).toHaveLength(9)
  })
})
