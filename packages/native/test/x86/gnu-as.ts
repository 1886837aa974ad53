// GNU's assembler as judge: the bytes of lines in Intel's syntax.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Whether it can be asked here. */
export const hasGnuAs: boolean = process.arch === 'x64' && spawnSync('as', ['--version']).status === 0

/** The bytes of each line, as hexadecimal digits. */
export function assembled(lines: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-as-'))
  try {
    const [source, object, listing] = ['s', 'o', 'l'].map((end) => path.join(folder, `code.${end}`)) as [
      string,
      string,
      string,
    ]
    writeFileSync(source, `.intel_syntax noprefix\n${lines.join('\n')}\n`)
    execFileSync('as', [source, '-o', object, `-aln=${listing}`, '--listing-lhs-width=4', '--listing-rhs-width=200'])
    const found = new Map<number, string>()
    for (const line of readFileSync(listing, 'utf8').split('\n')) {
      const match = /^ *(\d+) [0-9a-f]{4} ([0-9A-F ]+?)(?: +\t|\t)/.exec(line)
      if (match !== null) found.set(Number(match[1]) - 2, match[2]!.replaceAll(' ', '').toLowerCase())
    }
    return lines.map((_, i) => found.get(i) ?? '')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
