// The last words of a run: what was skipped and why, and how much was asserted. Two runs are the same when their
// figures are.
import type { Reporter, TestCase, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    assertions?: number
    /** How many times a property was run on a case. */
    cases?: number
    /** Why the test is skipped. */
    missing?: string
  }
}

const sumOf = (tests: readonly TestCase[], figure: 'assertions' | 'cases'): string =>
  tests.reduce((sum, test) => sum + (test.meta()[figure] ?? 0), 0).toLocaleString('en')

export default class Figures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const skipped = tests.filter((test) => test.result().state === 'skipped')
    const reasons = new Set(skipped.map((test) => test.meta().missing))
    for (const reason of reasons) {
      const those = skipped.filter((test) => test.meta().missing === reason)
      console.log(`skipped ${those.length}: ${reason ?? 'no reason is given'}`)
      // Where skips are declared, one without a reason is a failure.
      if (reason !== undefined || process.env['BCAST_WITHOUT'] === undefined) continue
      for (const test of those)
        console.error(`skipped for no reason: ${test.module.relativeModuleId}, ${test.fullName}`)
      process.exitCode = 1
    }
    console.log(`${sumOf(tests, 'assertions')} assertions, ${sumOf(tests, 'cases')} property cases`)
  }
}
