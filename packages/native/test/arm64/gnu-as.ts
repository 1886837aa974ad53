// GNU's assembler for AArch64 as judge: the words of lines.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The tools of binutils that work for AArch64: those of this machine, or those that are named after it. */
export const TOOLS: string = process.arch === 'arm64' ? '' : 'aarch64-linux-gnu-'

/** Whether it can be asked here. */
export const hasGnuAs: boolean =
  spawnSync(`${TOOLS}as`, ['--version']).status === 0 && spawnSync(`${TOOLS}ld`, ['--version']).status === 0

/** The word of each line, as hexadecimal digits. */
export function assembled(lines: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-as-'))
  try {
    const [source, object, binary] = ['s', 'o', 'bin'].map((end) => path.join(folder, `code.${end}`)) as [
      string,
      string,
      string,
    ]
    writeFileSync(source, `${lines.join('\n')}\n`)
    execFileSync(`${TOOLS}as`, [source, '-o', object])
    execFileSync(`${TOOLS}objcopy`, ['-O', 'binary', '-j', '.text', object, binary])
    const words = readFileSync(binary)
    return lines.map((_, i) => words.subarray(4 * i, 4 * i + 4).toString('hex'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
