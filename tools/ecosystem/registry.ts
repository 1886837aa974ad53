// `node --import tsx tools/ecosystem/registry.ts`: publishes the packages to a registry on this machine, installs them in
// empty folders with every package manager, and runs the command and a program there, as a user would after a release.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { noMachineCode } from '../../testing/machine-code.ts'
import { commandLine } from '../command-line/command-line.ts'
import { published } from '../release/packages.ts'
import { type Manager, managers } from './registry/managers.ts'
import { publishAll } from './registry/published.ts'
import type { Registry } from './registry/registry.ts'
import { run, succeed } from './registry/run.ts'

const program = readFileSync(new URL('registry/program.js', import.meta.url), 'utf8')

const USAGE = `usage: node --import tsx tools/ecosystem/registry.ts [manager…]

Publishes the packages to a registry on this machine, installs them from there in empty folders, and runs the command
and a program.

  manager…  these only; all by default: ${managers.map(({ name }) => name).join(', ')}
  --help    prints this`

/** What \`bcast explain 2,3,4 2,4\` ends with; shapes that do not meet are exit code 1. */
const FIX = 'fix: reshape B from (2,4) to (2,1,4)'
const EXPLAIN = ['bcast', 'explain', '2,3,4', '2,4']

/** What computes for the command where all packages are installed. */
const ENGINE = noMachineCode === undefined ? 'with machine code' : 'with WebAssembly'

/** What is wrong with one package manager. */
function faultsOf(manager: Manager, place: string, registry: Registry): string[] {
  const env = { ...registry.env, ...manager.env(registry.url, place) }
  const faults: string[] = []
  const expect = (
    what: string,
    [file, ...args]: readonly string[],
    folder: string,
    code: number,
    text: string,
  ): void => {
    const outcome = run(file!, args, folder, env)
    if (outcome.code === code && outcome.stdout.includes(text) && outcome.stderr === '') return
    faults.push(`${what}: exit code ${outcome.code}\n${outcome.stdout}${outcome.stderr}`)
  }

  const empty = path.join(place, 'empty')
  mkdirSync(empty, { recursive: true })
  const [once, ...words] = [...manager.once, ...EXPLAIN]
  // What a manager says of its own work is no matter here.
  const { code, stdout, stderr } = run(once!, words, empty, env)
  if (code !== 1 || !stdout.includes(FIX)) faults.push(`without installing: exit code ${code}\n${stdout}${stderr}`)

  const folder = path.join(place, 'project')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n')
  writeFileSync(path.join(folder, 'program.js'), program)
  const [add, ...rest] = manager.add
  succeed(add!, [...rest, ...published.map(({ manifest }) => manifest.name)], folder, env)
  expect('the command', [...manager.execute, ...EXPLAIN], folder, 1, FIX)
  expect('the engine', [...manager.execute, 'bcast', '--version'], folder, 0, ENGINE)
  expect('the program', [...manager.execute, 'node', '--enable-source-maps', 'program.js'], folder, 0, 'all is well')
  return faults
}

const { words, refuse } = commandLine(USAGE, {}, true)
const unknown = words.find((word) => !managers.some(({ name }) => name === word))
if (unknown !== undefined) refuse(`there is no package manager ${unknown}`)

const place = mkdtempSync(path.join(tmpdir(), 'bcast-registry-'))
const registry = await publishAll(place)
let failed = 0
try {
  for (const manager of managers.filter(({ name }) => words.length === 0 || words.includes(name))) {
    const faults = faultsOf(manager, path.join(place, manager.name), registry)
    for (const fault of faults) console.log(`FAILED ${manager.name}, ${fault}`)
    failed += faults.length
    if (faults.length === 0) console.log(`${manager.name}: installed, the command and the program run`)
  }
} finally {
  registry.close()
  rmSync(place, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
