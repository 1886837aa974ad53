// Asynchronous calls and the life of a process: it stays until they have ended, and ends by itself afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Built, build, forbidden, noWorkers } from '../support/built.ts'

describe('processes', () => {
  let built: Built
  beforeAll(async () => {
    built = await build()
  })
  afterAll(() => built?.remove())

  /** A program in which `x` has four million ones, and `say` prints two elements of a result. */
  const program = (more: string, before = '', threads = 2): string => `
    ${before}
    let started = 0
    process.on('worker', () => started++)
    process.on('exit', () => console.log(started, 'workers'))
    const { add, configure, gemm, mul, tensor } = await import('${built.url('node.js')}')
    configure({ threads: ${threads} })
    const x = mul(tensor(new Float32Array(1 << 22).fill(1), { share: true }), 1, { broadcast: 'numpy' })
    const say = (y) => console.log(y.get(0), y.get(y.shape[0] - 1))
    ${more}
  `

  it('stay until asynchronous calls have ended, and end by themselves then', async () => {
    const { stdout, stderr } = await built.run(
      program(`
        configure({ threads: 3 })
        add.async(x, x).then(say)
        add.async(x, 4).then(say)
        console.log('asked')
      `),
    )
    expect(stdout).toBe('asked\n2 2\n5 5\n3 workers\n')
    expect(stderr).toBe('')
  })

  it('use one worker for one thread', async () => {
    const { stdout } = await built.run(program('say(await add.async(x, x))', '', 1))
    expect(stdout).toBe('2 2\n1 workers\n')
  })

  it('turn while a large call is computed', async () => {
    const { stdout } = await built.run(
      program(`
        const square = x.reshape(2048, 2048)
        let turns = 0
        const timer = setInterval(() => turns++, 2)
        await gemm.async(square, square)
        clearInterval(timer)
        console.log(turns > 10)
      `),
    )
    expect(stdout).toMatch(/^true\n/)
  })

  it('end after a call that fails', async () => {
    const { stdout } = await built.run(program(`add.async(x, tensor([1, 2])).catch(({ code }) => console.log(code))`))
    expect(stdout).toMatch(/^\S*broadcast\S*\n/i)
  })

  it('do the same where nothing calls back when memory changes', async () => {
    const { stdout } = await built.run(program('add.async(x, x).then(say)', 'delete Atomics.waitAsync'))
    expect(stdout).toMatch(/^2 2\n/)
  })

  it('compute where workers are forbidden, and say once why', async () => {
    const both = program('add.async(x, x).then(say); add.async(x, 2).then(say)')
    const { stdout, stderr } = await built.run(both, ...noWorkers)
    expect(stdout).toMatch(/^2 2\n3 3\n/)
    expect(stderr.split('\n').filter((line) => line.startsWith('bcast'))).toEqual([forbidden])
  })
})
