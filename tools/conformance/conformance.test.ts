// Every case of the repository, and the test directories of ONNX where they lie beside it, on both backends.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { configure } from 'bcast'
import { describe, expect, it } from 'vitest'
import { needs } from '../../testing/needs.ts'
import { readExpectedFailures } from './expected-failures.ts'
import { findSubjects } from './find.ts'
import { format, run } from './run.ts'

const cases = path.resolve(import.meta.dirname, '../../conformance/cases')
const directories = path.resolve(import.meta.dirname, '../../../shared/conformance')

function expectNoFailure(backend: 'auto' | 'interpreter', folder: string, least: number): void {
  configure({ backend })
  const report = run(findSubjects([folder]), readExpectedFailures())
  expect(report.failures, format(report)).toEqual([])
  expect(report.passed).toBeGreaterThanOrEqual(least)
}

describe.each(['auto', 'interpreter'] as const)('on backend %s', (backend) => {
  it('no case fails', () => expectNoFailure(backend, cases, 900))

  it('no test directory of ONNX fails', needs('conformance', existsSync(directories)), () =>
    expectNoFailure(backend, directories, 200),
  )
})
