// What the compiler does not do for the package: what the program `bcast` loads becomes one file, with what it uses of the
// library in it, because loading all of them takes longer than most commands compute.
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** Puts it into a folder of compiled code. */
export function writeProgramFile(folder: string): void {
  buildSync({
    entryPoints: [fileURLToPath(new URL('src/program.ts', import.meta.url))],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['bcast-source'],
    // Names stay, so that the stack of a defect can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    allowOverwrite: true,
  })
}
