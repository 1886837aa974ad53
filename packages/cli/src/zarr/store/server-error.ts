// What a server answered, or that it did not: which place, what it said, and whether asking again could help.
import { FileError } from '../../errors/file-error.ts'

export class ServerError extends FileError {
  override name = 'ServerError'
  /** Of the answer; undefined where there was none. */
  readonly status: number | undefined
  /** Whether it was asked several times, and may work at another time. */
  readonly isTransient: boolean

  constructor(label: string, problem: string, status: number | undefined, isTransient: boolean, fix?: string) {
    super(label, problem, fix)
    this.status = status
    this.isTransient = isTransient
  }
}
