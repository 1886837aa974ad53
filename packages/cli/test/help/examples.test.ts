// Every example of every help runs as printed, in a folder with the files it speaks of; the first of each command in a
// process of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { hasRedis, startRedis } from '../../../../testing/queue-servers.ts'
import { called } from '../support/called.ts'
import { writeExampleFiles } from '../support/example-files.ts'
import { ran } from '../support/line.ts'
import { bcast, typed, workplace } from '../support/program.ts'

const place = workplace()
beforeAll(() => writeExampleFiles(place.folder))
afterAll(place.remove)

const whole = await bcast(['--help'])
const commands = [...whole.stdout.split('\nCommands:\n')[1]!.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!)

/** Lines with what they show, as help prints them. */
function examplesIn(text: string): { shows: string; line: string }[] {
  const [, examples] = text.split('\nExamples:\n')
  return [...(examples ?? '').matchAll(/^ {2}# (.*)\n {2}(.*)$/gm)].map(([, shows, line]) => ({
    shows: shows!,
    line: line!,
  }))
}

const helps = [{ name: '', ...whole }]
for (const name of commands.filter((each) => each !== 'help')) helps.push({ name, ...(await called([name, '--help'])) })

/** A queue that examples name, and a worker there for those who need one. */
const queue = hasRedis ? await startRedis() : undefined
afterAll(() => queue?.remove())
const isOfQueue = (line: string): boolean => line.includes('redis://')
const untilSaid = (file: string): string => `& until [ -s ${file} ]; do sleep 0.1; done`

/** As it runs here: of a benchmark a second shows what five do, and who serves a page is ended once it does. */
function asTyped(line: string): string {
  if (line === 'bcast bench') return `${line} --seconds 1`
  if (isOfQueue(line)) return withQueue(line.replace('redis://localhost:6379', queue!.url))
  if (!line.startsWith('bcast playground')) return line
  const serving = `${line.replace(/ --port \d+/, '')} --no-open > served.txt ${untilSaid('served.txt')}`
  return `${serving}; kill $!; wait $! && cat served.txt && rm served.txt`
}

/** A worker is told to stop once it waits; an evaluation has one. */
function withQueue(line: string): string {
  const isWorker = line.startsWith('bcast worker')
  const worker = isWorker ? line.replace(' --quiet', '') : `bcast worker ${queue!.url}`
  const working = `${worker} 2> said.txt ${untilSaid('said.txt')}`
  return `${working}; ${isWorker ? '' : `${line} && `}kill $!; wait $! && cat said.txt && rm said.txt`
}

describe.each(helps)('bcast $name --help', ({ code, stdout, stderr }) => {
  const examples = examplesIn(stdout)

  it('is printed on stdout and has examples', () => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(examples.length).toBeGreaterThan(0)
  })

  const [here, elsewhere] = [
    examples.filter(({ line }) => !isOfQueue(line)),
    examples.filter(({ line }) => isOfQueue(line)),
  ]
  it.each(elsewhere)('$line', needs('redis', hasRedis), runs(typed))
  it.each(here.slice(0, 1))('$line', runs(typed))
  it.each(here.slice(1))('$line', runs(ran))
})

function runs(run: typeof ran) {
  return async ({ shows, line }: { shows: string; line: string }): Promise<void> => {
    const outcome = await run(asTyped(line), place)
    const expected = /\(exit (\d)\)/.exec(shows)?.[1] ?? '0'
    expect({ ...outcome, stdout: '' }).toEqual({ code: Number(expected), stdout: '', stderr: outcome.stderr })
    // What goes wrong is no example.
    expect(outcome.stderr).not.toMatch(/^bcast: /m)
    if (!/ > |-o |source /.test(line)) expect(outcome.stdout).not.toBe('')
  }
}
