// Which test files have random cases: those that reach fast-check or the seed by their imports, so that no list is kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const IMPORT = /\b(?:from|import) *\(?['"]([^'"]+)['"]/g

/** What a file imports: other files by their paths, packages by their names. */
function importsOf(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name]) => name!)
  return found.map((name) => (name.startsWith('.') ? path.resolve(path.dirname(file), name) : name))
}

/** The test files below a folder, relative to `root`, that draw random cases. */
export function propertyTests(root: string, folders: readonly string[]): string[] {
  const sources = new Set(['fast-check', path.join(root, 'testing/seed.ts')])
  const known = new Map<string, boolean>()
  const draws = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    // A circle of imports is no way to the seed.
    known.set(file, false)
    const reaches =
      /\.[jt]s$/.test(file) &&
      existsSync(file) &&
      importsOf(file).some((name) => sources.has(name) || (path.isAbsolute(name) && draws(name)))
    known.set(file, reaches)
    return reaches
  }
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name),
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter((file) => draws(path.join(root, file)))
    .sort()
}
