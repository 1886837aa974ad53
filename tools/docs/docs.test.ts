// Documentation runs: every TypeScript block of README and docs is executed and must print the text block behind it;
// a block marked `refused` must not compile, with that message; what it links to and the commands it names must exist.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findingSeverities, onnxErrorCodes } from '@bcast/onnx'
import { errorCodes } from 'bcast'
import { describe, expect, inject, it } from 'vitest'
import { buildProgram } from '../../packages/cli/build.ts'

/** The built program. */
const program = inject('program')
const root = fileURLToPath(new URL('../../', import.meta.url))

interface Block {
  readonly language: string
  readonly code: string
  readonly output: string | undefined
  readonly line: number
}

function blocksOf(markdown: string): Block[] {
  const fences = [...markdown.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
  return fences.map(([, language, code], i) => {
    const next = fences[i + 1]
    const end = fences[i]!.index + fences[i]![0].length
    const adjacent = next !== undefined && next[1] === 'text' && markdown.slice(end, next.index).trim() === ''
    const line = markdown.slice(0, fences[i]!.index).split('\n').length
    return { language: language!, code: code!, output: adjacent ? next[2] : undefined, line }
  })
}

interface Executed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (args: readonly string[]): Promise<Executed> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

const tsx = ['--conditions=bcast-source', '--import', 'tsx']

/** A folder inside the repository, so that packages resolve as they do for a user of the workspace. */
function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'docs-'))
  return use(folder).finally(() => rmSync(folder, { recursive: true }))
}

/** The address of the repository. */
const repository: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).repository.url.replace(
  /^git\+|\.git$/g,
  '',
)

/** Whether a document goes with a package. */
function isPublished(file: string): boolean {
  const manifest = join(root, file, '../package.json')
  return file.startsWith('packages/') && JSON.parse(readFileSync(manifest, 'utf8')).private !== true
}

const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...markdownIn('docs'),
  ...markdownIn('conformance'),
  ...readdirSync(join(root, 'packages')).flatMap((name) => markdownIn(`packages/${name}`)),
]

const documents = files.map((file) => ({ file, blocks: blocksOf(readFileSync(join(root, file), 'utf8')) }))

/** What the compiler says about each block, all of them compiled at once. */
function compileAll(blocks: readonly Block[]): Promise<ReadonlyMap<Block, string>> {
  return inFolder(async (folder) => {
    for (const [i, { code }] of blocks.entries()) writeFileSync(join(folder, `${i}.ts`), code)
    const compilerOptions = {
      noEmit: true,
      composite: false,
      incremental: false,
      types: ['node'],
      skipLibCheck: true,
      // Blocks do not see each other.
      moduleDetection: 'force',
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }),
    )
    const { stdout } = await run([join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'])
    const said = new Map(blocks.map((block) => [block, '']))
    // A message begins with its file and goes on in lines that do not.
    let about: Block | undefined
    for (const line of stdout.split('\n')) {
      about = blocks[Number(/(\d+)\.ts\(\d+,\d+\): /.exec(line)?.[1] ?? Number.NaN)] ?? about
      if (line !== '' && about === undefined) throw new Error(stdout)
      if (line !== '') said.set(about!, `${said.get(about!)}${line}\n`)
    }
    return said
  })
}

const compiled = await compileAll(
  documents.flatMap(({ blocks }) => blocks.filter(({ language }) => /^ts( refused| program)?$/.test(language))),
)

/** What each block does in a process of its own, all of them built at once. */
function executeAll(blocks: readonly Block[]): Promise<ReadonlyMap<Block, Executed>> {
  return inFolder(async (folder) => {
    const sources = blocks.map(({ code }, i) => {
      const file = join(folder, `${i}.ts`)
      writeFileSync(file, code)
      return file
    })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await buildProgram(join(folder, 'dist'), sources)
    const executed = new Map<Block, Executed>()
    for (const [i, block] of blocks.entries()) executed.set(block, await run([join(folder, 'dist', `${i}.js`)]))
    return executed
  })
}

const executed = await executeAll(documents.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'ts')))

const { stdout: help } = await run([program, '--help'])

describe.each(documents)('$file', ({ file, blocks }) => {
  for (const block of blocks) {
    const { language, code, output, line } = block
    if (language === 'ts') {
      it(`line ${line}: compiles, runs and prints what it says`, () => {
        expect(compiled.get(block)).toBe('')
        expect(executed.get(block)).toEqual({ code: 0, stdout: output, stderr: '' })
      })
    }
    if (language === 'ts program') {
      // What it does is tested with the files that it reads.
      it(`line ${line}: compiles`, () => {
        expect(compiled.get(block)).toBe('')
      })
    }
    if (language === 'ts refused') {
      it(`line ${line}: is refused with the message it says`, () => {
        expect(compiled.get(block)).toContain(output!.trim())
      })
    }
    if (language === 'sh' && /npm start/.test(code)) {
      it(`line ${line}: npm start -- ARGS runs`, async () => {
        for (const [, args = ''] of code.matchAll(/npm start(?: -- ([\w,\- ]+))?/g)) {
          const words = args
            .replace(/ for .*/, '')
            .split(' ')
            .filter((word) => word !== '')
          const { code: exit, stdout } = await run([...tsx, 'packages/cli/src/main.ts', ...words])
          expect([0, 1]).toContain(exit)
          expect(stdout).not.toBe('')
        }
      })
    }
  }

  const markdown = readFileSync(join(root, file), 'utf8')
  const named = (pattern: RegExp, text = markdown): string[] => [...text.matchAll(pattern)].map(([, name]) => name!)

  it('links to files that exist', () => {
    const links = named(/\]\((?!https?:)([^)#]+)\)/g).map((link) => join(file, '..', link))
    const pages = named(/\]\((https:[^)#]+)/g).filter((link) =>
      /^\/(blob|tree)\/main\//.test(link.replace(repository, '')),
    )
    const all = [...links, ...pages.map((link) => link.replace(/^.*?\/main\//, ''))]
    expect(all.filter((link) => !existsSync(join(root, link)))).toEqual([])
  })

  if (isPublished(file)) {
    // The page of a package shows its README, where nothing lies beside it.
    it('links to nothing beside it', () => {
      expect(named(/\]\((?!https:|#)([^)]+)\)/g)).toEqual([])
    })
  }

  it('names scripts that exist', () => {
    const places = [root, join(root, file, '..')].map((folder) => join(folder, 'package.json')).filter(existsSync)
    const known = places.flatMap((place) => Object.keys(JSON.parse(readFileSync(place, 'utf8')).scripts ?? {}))
    const scripts = named(/\bnpm (?:run )?(start|test\b(?!:)|(?<=run )[a-z][a-z:]*)/g)
    expect(scripts.filter((script) => !known.includes(script))).toEqual([])
  })

  it('names commands that exist', () => {
    const typed = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
    const commands = named(/^bcast ([a-z]+)/gm, typed.join('\n'))
    expect(commands.filter((command) => !new RegExp(`^  ${command} `, 'm').test(help))).toEqual([])
  })
})

describe('docs/errors.md', () => {
  it('lists every code with its class, and no other', () => {
    const text = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    const listed = [...text.matchAll(/^\| `([A-Z_]+)` \| `(\w+)` \|/gm)].map(([, code, name]) => [code, name])
    expect(listed).toEqual([...Object.entries(errorCodes), ...Object.entries(onnxErrorCodes)])
  })
})

describe('docs/findings.md', () => {
  it('lists every id with its severity, and no other', () => {
    const text = readFileSync(join(root, 'docs/findings.md'), 'utf8')
    const listed = [...text.matchAll(/^\| `([\w-]+)` \| (\w+) \|/gm)].map(([, id, severity]) => [id, severity])
    expect(listed).toEqual(Object.entries(findingSeverities))
  })
})
