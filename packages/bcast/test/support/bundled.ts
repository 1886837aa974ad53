// Programs as a bundler makes them: what a page would load, and what is left when nothing else is.
import { mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const folder = fileURLToPath(new URL('../..', import.meta.url))
/** What lies here is imported as it is: elsewhere the test runner would transform it first. */
const imported = join(folder, 'node_modules/.cache')

/** Programs that are no files, named by their numbers. */
const programsOf = (programs: readonly string[]): Plugin => ({
  name: 'programs',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^program:/ }, ({ path }) => ({ path: path.slice('program:'.length), namespace: 'program' }))
    onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => ({
      contents: programs[Number(path)]!,
      resolveDir: folder,
    }))
  },
})

const OPTIONS: BuildOptions & { write: false } = {
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['bcast-source'],
  write: false,
}

/** The bundle of each program that imports the library; they share nothing but the time to read its sources. */
export async function bundles(programs: readonly string[]): Promise<readonly Uint8Array[]> {
  const { outputFiles } = await build({
    entryPoints: programs.map((_, i) => ({ in: `program:${i}`, out: `${i}` })),
    plugins: [programsOf(programs)],
    ...OPTIONS,
  })
  const made = new Map(outputFiles.map(({ path, contents }) => [path, contents]))
  return programs.map((_, i) => made.get(join(folder, `${i}.js`))!)
}

export async function bundle(program: string): Promise<Uint8Array> {
  const [code] = await bundles([program])
  return code!
}

/** What a page loads at first, and what it loads when it is needed, where the bundler can tell them apart. */
export interface Parts {
  readonly first: readonly Uint8Array[]
  readonly later: readonly Uint8Array[]
}

/** The files of a program that imports the library. */
export async function partsOf(program: string): Promise<Parts> {
  const { outputFiles } = await build({
    entryPoints: [{ in: 'program:0', out: 'first' }],
    plugins: [programsOf([program])],
    splitting: true,
    chunkNames: 'chunk-[hash]',
    ...OPTIONS,
  })
  const files = new Map(outputFiles.map(({ path, contents, text }) => [path, { contents, text }]))
  const first = new Set<string>()
  const load = (path: string): void => {
    if (first.has(path)) return
    first.add(path)
    for (const [, name] of files.get(path)!.text.matchAll(/\bfrom"\.\/([\w.-]+)"/g)) load(join(folder, name!))
  }
  load(join(folder, 'first.js'))
  const codes = (isWanted: (path: string) => boolean) =>
    [...files].filter(([path]) => isWanted(path)).map(([, { contents }]) => contents)
  return { first: codes((path) => first.has(path)), later: codes((path) => !first.has(path)) }
}

let imports = 0

/** Imports a bundle, which then has a state of its own. */
export async function importBundle(code: Uint8Array): Promise<Readonly<Record<string, unknown>>> {
  mkdirSync(imported, { recursive: true })
  const file = join(imported, `bundle-${process.pid}-${imports++}.mjs`)
  await writeFile(file, code)
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(file)
  }
}
