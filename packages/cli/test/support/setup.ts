// Builds the program once for all tests that run it.
import type { TestProject } from 'vitest/node'
import { makeProgram } from '../../../../testing/program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly program: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const { file, remove } = await makeProgram()
  project.provide('program', file)
  return remove
}
