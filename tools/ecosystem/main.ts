// `npm run test:ecosystem -- [NAME…]`: what a user does with the packed packages, with every bundler and runtime that
// docs/bundlers.md names, beside other libraries, with package managers and compilers; prints a table and exits with 1 when a line of it is
// wrong, with 2 when the call is bad.
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { chromium } from '../../testing/chromium.ts'
import { needs, type Thing } from '../../testing/needs.ts'
import { Browser } from './browser.ts'
import { checkRecipe, recipes } from './bundlers.ts'
import { type Checked, table } from './check.ts'
import { NotInstalled, packed } from './install.ts'
import { checkInterop, programs } from './interop.ts'
import { checkPart, parts } from './parts.ts'
import { checkRuntime, runtimes } from './runtimes.ts'

const names = [...new Set([...parts, ...runtimes, ...programs, ...recipes].map(({ name }) => name))]

const USAGE = `usage: npm run test:ecosystem -- [NAME…]

Publishes the packages to a registry on this machine and installs them with every package manager, computes with
@bcast/native on every runtime, starts a fresh clone,
asks JSR and every TypeScript. Packs bcast, builds docs/bundlers.md with every bundler, opens the results in Chromium,
runs every runtime and the programs of docs/interop.md.
Packages are installed into the system's folder of temporary files, and kept there.

  NAME    only what begins with it: ${names.join(', ')}
  --help  prints this`

/** A line for what is missing: skipped, or failed where it may not be missing. */
function missing(thing: Thing, what: string, reason = ''): Checked {
  const line = { what, where: '', seen: '' }
  try {
    const { meta } = needs(thing, false) as { meta: { missing: string } }
    return { ...line, skipped: `${meta.missing} ${reason}`.trim() }
  } catch (error) {
    return { ...line, wrong: `${(error as Error).message} ${reason}`.trim() }
  }
}

async function attempt(what: string, check: () => Promise<readonly Checked[]>): Promise<readonly Checked[]> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof NotInstalled) return [missing('registry', what, error.message)]
    return [{ what, where: '', seen: '', wrong: (error as Error).stack ?? String(error) }]
  }
}

async function main(args: readonly string[]): Promise<number> {
  let wanted: string[]
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean' } },
      allowPositionals: true,
    })
    wanted = positionals
    if (values.help === true) {
      console.log(USAGE)
      return 0
    }
    const unknown = wanted.find((each) => !names.some((name) => name.startsWith(each)))
    if (unknown !== undefined) throw new Error(`nothing begins with "${unknown}"`)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    return 2
  }
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    wanted.length === 0 || wanted.some((each) => name.startsWith(each))
  const lines: Checked[] = []
  const say = (more: readonly Checked[]): void => {
    lines.push(...more)
    for (const { what, where, wrong } of more)
      console.error(`${wrong === undefined ? 'ok' : 'FAILED'}  ${what}  ${where}`)
  }
  for (const part of parts.filter(isWanted)) say([await checkPart(part)])
  const pack = await packed()
  const browser = chromium === undefined ? undefined : await Browser.start()
  try {
    for (const runtime of runtimes.filter(isWanted))
      say(await attempt(runtime.name, async () => [await checkRuntime(runtime, pack)]))
    for (const program of programs.filter(isWanted))
      say(await attempt(program.name, async () => [await checkInterop(program, pack)]))
    for (const recipe of recipes.filter(isWanted)) {
      if (browser === undefined) say([missing('chromium', recipe.name)])
      else say(await attempt(recipe.name, () => checkRecipe(recipe, pack, browser)))
    }
  } finally {
    await browser?.close()
    await rm(pack, { recursive: true })
  }
  const failed = lines.filter(({ wrong }) => wrong !== undefined).length
  const skipped = lines.filter((line) => line.skipped !== undefined).length
  console.log(`${table(lines)}\n${lines.length - failed - skipped} right, ${failed} failed, ${skipped} skipped`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
