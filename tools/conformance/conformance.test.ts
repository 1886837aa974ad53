// Every case of the repository, and the test directories of ONNX where they lie beside it, on every backend.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { onEveryBackend } from '../../testing/backends.ts'
import { needs } from '../../testing/needs.ts'
import { readExpectedFailures } from './expected-failures.ts'
import { findSubjects } from './find.ts'
import { format, run } from './run.ts'

const cases = path.resolve(import.meta.dirname, '../../conformance/cases')
const directories = path.resolve(import.meta.dirname, '../../../shared/conformance')

function expectNoFailure(folder: string, least: number): void {
  const report = run(findSubjects([folder]), readExpectedFailures())
  expect(report.failures, format(report)).toEqual([])
  expect(report.passed).toBeGreaterThanOrEqual(least)
}

onEveryBackend(() => {
  it('no case fails', () => expectNoFailure(cases, 900))

  it('no test directory of ONNX fails', needs('conformance', existsSync(directories)), () =>
    expectNoFailure(directories, 200),
  )
})
