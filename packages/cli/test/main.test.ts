// The program as a whole: streams, exit codes, suggestions, and what it does when something breaks.
import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { called } from './support/called.ts'
import { bcast, program, typed, workplace } from './support/program.ts'

const place = workplace()
afterAll(place.remove)

describe('without arguments', () => {
  it('shows a broadcast explained, a failing one with its fix, and a result', async () => {
    const { code, stdout, stderr } = await bcast([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('(2,3,4) with (3,1) under numpy gives (2,3,4)')
    expect(stdout).toContain('fix: reshape B from (3) to (3,1,1) → (2,3,2,2)   b.reshape(3, 1, 1)')
    expect(stdout).toContain('[[-1. -1. -1.]\n [10. 10. 10.]]')
  })

  it('names the program as it was called', async () => {
    const lastLine = async (npm_lifecycle_event: string): Promise<string> =>
      (await bcast([], { env: { npm_lifecycle_event } })).stdout.split('\n').at(-2)!
    expect(await lastLine('test')).toBe('Next: bcast explain 2,3,4 2,4      bcast --help')
    expect(await lastLine('start')).toBe('Next: npm start -- explain 2,3,4 2,4      npm start -- --help')
  })
})

describe('help and version', () => {
  it('are results: stdout, exit 0', async () => {
    const help = await bcast(['--help'])
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' })
    expect(help.stdout).toContain('explain how shapes meet')
    expect(await called(['help', 'explain'])).toEqual(await called(['explain', '--help']))
    expect(await called(['help', 'help'])).toEqual(help)
    expect((await bcast(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+ with WebAssembly\n$/)
  })
})

describe('stdin', () => {
  it('is named as the advice says, members of archives and types of JSON', async () => {
    const { stderr } = await called(['eval', 'x', 'x=-'], { input: '[9007199254740993]' })
    expect(stderr).toContain('Say one: -:json:int64.')
    const typed64 = await called(['eval', 'x', 'x=-:json:int64'], { input: '[9007199254740993]' })
    expect(typed64.stdout).toBe('int64 (1)\n[9007199254740993]\n')
    await typed('bcast eval 1 -o one.npz:a && bcast eval 2 -o two.npz:b/c', place)
    expect((await typed('cat two.npz | bcast eval x x=-:npz:b/c', place)).stdout).toBe('float64 () 2.0\n')
    expect((await typed('cat one.npz | bcast eval x x=-:npz:b', place)).stderr).toContain('Its members are a.')
    expect((await typed('bcast eval 3 -o -:json | bcast eval x x=-', place)).stdout).toBe('float64 () 3.0\n')
  })
})

describe('a bad call', () => {
  it.each([
    [['explian', '2,3'], "unknown command 'explian'\n(Did you mean explain?)"],
    [['explain', '2,3', '--ruel', 'numpy'], "unknown option '--ruel'\n(Did you mean --rule?)"],
    [['explain', '2', '--rule', 'numpi'], '--rule is "numpi". Did you mean numpy?'],
    [['explain', '2', '--rule', 'xyz'], '--rule is "xyz". It is one of numpy, unidirectional'],
    [['explain', '--from', 'tensorflwo', 'x'], '--from is "tensorflwo". Did you mean tensorflow?'],
    [['check', 'm.onnx', '--format', 'sarfi'], '--format is "sarfi". Did you mean sarif?'],
    [['check', 'm.onnx', '--profile', 'sonnx-strikt'], '--profile is "sonnx-strikt". Did you mean sonnx-strict?'],
    [['check', 'missing.onnx'], 'missing.onnx'],
    [['check', 'package.json'], 'package.json: it cannot be read as an ONNX model: '],
    [['run', 'package.json'], 'package.json: it cannot be read as an ONNX model: '],
    [['check'], "missing required argument 'model'\n(See bcast check --help.)"],
    [['diff', 'a', 'b', 'c'], '(See bcast diff --help.)'],
    [['eval', 'x', '--memory'], 'argument missing\n(See bcast eval --help.)'],
    [['check', ''], '"": there is no such file.'],
    [['check', 'm.onnx', '-o', ''], '-o is ""; it is a file, or - for stdout.'],
    [['eval', '1', '-o', ''], '-o is ""; it is a file, or - for stdout.'],
    [['run', 'm.onnx', '-o', ''], '-o is ""; it is a file, or - for stdout.'],
    [['eval', '1', '-o', "no such/folder's/y.npy"], /Make it: mkdir -p '\/.*\/no such\/folder'\\''s'\n$/],
    [['check', '/'], '/: it is a folder'],
    [['check', '-'], 'models do not come by stdin (-).'],
    [['census', '-'], 'models do not come by stdin (-).'],
    [['check', 'm.onnx', '--profile', '.'], '.: it is a folder'],
    [['check', 'm.onnx', '-o', 'a', '-o', 'b'], '-o names "a" and "b"; the result goes to one place.'],
    [['eval', '1', '-o', 'a.npy', '--output', 'b.npy'], '-o names "a.npy" and "b.npy"; the result goes to one place.'],
    [['help', 'evla'], "unknown command 'evla'\n(Did you mean eval?)"],
    [['--'], 'no command stands behind --.'],
    [['\u001b[31mred'], "unknown command '\\u001b[31mred'"],
    [['eval', 'x', 'x=\u001b[31m\u009b.npy'], '\\u001b[31m\\u009b.npy: there is no such file.'],
    [['--nonsense'], "unknown option '--nonsense'"],
    [['eval', '-x * 2', 'x=x.npy'], "unknown option '-x * 2'\n(What begins with - and is no option stands behind --."],
    [['explain', '9007199254740993'], '"9007199254740993" in shape "9007199254740993" is above 2^53 - 1'],
    [['explain', '2..9007199254740993'], '"2..9007199254740993" in shape "2..9007199254740993" is above 2^53 - 1'],
  ])('exits 2 with the reason on stderr: %j', async (args, reason) => {
    const { code, stdout, stderr } = await called(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^bcast: /)
    if (reason instanceof RegExp) expect(stderr).toMatch(reason)
    else expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe('when something breaks', () => {
  it('ends quietly when nobody reads any more', async () => {
    const { stderr } = await typed('bcast explain 2,3,4 2,4 --json | head -c 1 > /dev/null', place)
    expect(stderr).toBe('')
    const many = await typed('for i in 1 2 3; do bcast | true; done', place)
    expect(many.stderr).toBe('')
  })

  it('says so when the disk is full', async () => {
    const { code, stderr } = await typed('bcast explain 2,3 3 > /dev/full', place)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^bcast: stdout: the disk is full/)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('goes on where nobody hears what it says: the result is whole, and that counts', async () => {
    const { code } = await typed("bcast eval '1 + 1' -o two.npy 2> /dev/full && bcast diff two.npy two.npy", place)
    expect(code).toBe(0)
  })

  it('takes no log without an end', async () => {
    const { code, stderr } = await typed('yes | bcast explain --from auto -', place)
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^bcast: stdin has more than 64 MiB\. Give/),
    })
  })

  it('calls a defect of its own a defect: a stack, and no code that means something else', () => {
    const broken = 'data:text/javascript,JSON.stringify = () => { throw new TypeError("broken on purpose") }'
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', broken, program, 'explain', '2', '2', '--json'],
      { encoding: 'utf8' },
    )
    expect({ status, stdout }).toEqual({ status: 70, stdout: '' })
    expect(stderr).toContain('a defect of bcast')
    expect(stderr).toMatch(/TypeError: broken on purpose\n\s+at /)
  })
})
