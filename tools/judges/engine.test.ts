// Engines die on some cases; the answers to all others must survive that, and the right case must be blamed.
import { describe, expect, it } from 'vitest'
import type { Case } from './case.ts'
import { askEngine, EngineError } from './engine.ts'
import { generate } from './generate.ts'

const cases = generate(0, 1).slice(0, 6)

/** A process that answers each case with its number, and does `what` on some. */
const engine = (what: string) => ({
  file: process.execPath,
  args: [
    '-e',
    `const send = (line) => process.stdout.write(JSON.stringify(line) + '\\n')
     send({ version: '1.0' })
     let seen = 0
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { id } = JSON.parse(line)
       ${what}
       seen++
       send({ id, answer: { kind: 'error', text: String(id) } })
     })`,
  ],
})

const texts = (answers: ReadonlyMap<number, unknown>): unknown[] =>
  cases.map(({ id }) => (answers.get(id) as { text: string }).text)

describe('askEngine', () => {
  it('takes all answers of a process', async () => {
    const { version, answers } = await askEngine(engine(''), cases)
    expect(version).toBe('1.0')
    expect(texts(answers)).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('goes on behind a case that ends the process', async () => {
    const { answers } = await askEngine(engine('if (id === 1 || id === 4) process.kill(process.pid, "SIGFPE")'), cases)
    expect(answers.get(1)).toEqual({ kind: 'crash', text: 'the process ends with SIGFPE' })
    expect(texts(answers)).toEqual(['0', 'the process ends with SIGFPE', '2', '3', 'the process ends with SIGFPE', '5'])
  })

  it('does not blame a case that only ends a process which earlier ones have damaged', async () => {
    const { answers } = await askEngine(engine('if (id === 3 && seen > 0) process.kill(process.pid, "SIGSEGV")'), cases)
    expect(texts(answers)).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('asks dangerous cases alone', async () => {
    const alone = ({ id }: Case): boolean => id === 2
    const { answers } = await askEngine(
      engine('if (id !== 2) { seen += 10 } else if (seen > 0) process.exit(3)'),
      cases,
      alone,
    )
    expect(texts(answers)).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('does not wait for what the process has forked', async () => {
    const fork = `if (id === 1) {
      require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 50000)'], { stdio: 'inherit' })
      process.exit(7)
    }`
    const { answers } = await askEngine(engine(fork), cases)
    expect(answers.get(1)).toEqual({ kind: 'crash', text: 'the process ends with exit code 7' })
    expect(answers.get(5)).toEqual({ kind: 'error', text: '5' })
  }, 40_000)

  it('says why a process does not start', async () => {
    const broken = { file: process.execPath, args: ['-e', 'console.error("no such package"); process.exit(1)'] }
    await expect(askEngine(broken, cases)).rejects.toThrow(
      new EngineError('does not start (ends with exit code 1): no such package'),
    )
  })
})
