// `node --import tsx tools/ecosystem/jsr.ts`: what JSR would take. It publishes sources, and refuses exports whose types
// would have to be inferred; Deno runs the same check without publishing.
import path from 'node:path'
import { commandLine } from '../command-line/command-line.ts'
import { root } from '../release/packages.ts'
import { run } from './registry/run.ts'
import { installAside } from './registry/tools.ts'

commandLine(
  `usage: node --import tsx tools/ecosystem/jsr.ts

Checks packages/bcast as JSR would before publishing it.

  --help  prints this`,
  {},
)

const tools = installAside(root, 'jsr', { dependencies: { deno: '2.9.6' }, allowScripts: { deno: true } })
const { code, stdout, stderr } = run(
  path.join(tools, 'deno'),
  ['publish', '--dry-run', '--allow-dirty'],
  path.join(root, 'packages/bcast'),
  { ...process.env, DENO_DIR: path.join(tools, '../../deno'), NO_COLOR: '1' },
)
const said = `${stdout}${stderr}`
const has = (file: string): boolean => said.includes(`/packages/bcast/${file} (`)
const missing = ['LICENSE', 'README.md', 'src/index.ts', 'src/real.ts'].filter((file) => !has(file))
const isFine = code === 0 && missing.length === 0
console.log(
  isFine
    ? `JSR would take ${said.match(/^ +file:/gm)?.length} files`
    : `FAILED: exit code ${code}, without ${missing}\n${said}`,
)
process.exitCode = isFine ? 0 : 1
