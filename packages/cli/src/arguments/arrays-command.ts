// A command whose arguments are arrays. One may be `-:npy`, stdin with its format, which begins like an option.
import { Command, type ParseOptionsResult } from 'commander'

export class ArraysCommand extends Command {
  /** Options that are known have been taken out of `unknown`, which begins with the first word that is none. */
  override parseOptions(words: string[]): ParseOptionsResult {
    const { operands, unknown } = super.parseOptions(words)
    const [first, ...rest] = unknown
    if (first?.startsWith('-:') !== true) return { operands, unknown }
    const behind = this.parseOptions(rest)
    return { operands: [...operands, first, ...behind.operands], unknown: behind.unknown }
  }
}
