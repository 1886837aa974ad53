import { existsSync } from 'node:fs'
import path from 'node:path'
import { configure } from 'bcast'
import { describe, expect, it } from 'vitest'
import { readExpectedFailures } from './expected-failures.ts'
import { findSubjects } from './find.ts'
import { format, run } from './run.ts'

// The facts lie beside the repository where it is developed; a copy of the repository alone has none.
const facts = path.resolve(import.meta.dirname, '../../../shared/conformance')

describe.skipIf(!existsSync(facts))('conformance (skipped when ../shared/conformance is absent)', () => {
  it.each(['auto', 'interpreter'] as const)('has no failure on backend %s', (backend) => {
    configure({ backend })
    const report = run(findSubjects([facts]), readExpectedFailures())
    expect(report.failures, format(report)).toEqual([])
    expect(report.passed).toBeGreaterThan(1100)
  })
})
