// Builds the program once for all tests that run it. In place of the page, which takes longer to build than everything
// else and has tests of its own, lies a file.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeProgram } from '../../../../testing/program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly program: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const { file, remove } = await makeProgram()
  const site = path.join(path.dirname(file), 'site')
  mkdirSync(site)
  writeFileSync(path.join(site, 'index.html'), '<!doctype html><title>bcast</title>')
  project.provide('program', file)
  return remove
}
