// Programs as a bundler makes them: what a page would load, and what is left when nothing else is.
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('../..', import.meta.url))

/** The bundle of a program that imports the library. */
export async function bundle(program: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['bcast-source'],
    write: false,
  })
  return outputFiles[0]!.contents
}

let bundles = 0

/** Imports a bundle, which then has a state of its own. */
export async function importBundle(code: Uint8Array): Promise<Readonly<Record<string, unknown>>> {
  const file = join(tmpdir(), `bcast-bundle-${process.pid}-${bundles++}.mjs`)
  await writeFile(file, code)
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(file)
  }
}
