// Builds the program once for all tests that run it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildProgram } from './build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly program: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-program-'))
  project.provide('program', await buildProgram(folder))
  return () => rmSync(folder, { recursive: true, force: true })
}
