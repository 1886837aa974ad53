// The last words of a run: what was skipped and why, and how much was asserted. Two runs are the same when their
// figures are.
import type { Reporter, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    assertions?: number
    /** How many times a property was run on a case. */
    cases?: number
    /** Why the test is skipped. */
    missing?: string
  }
}

export default class Figures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const sum = (figure: 'assertions' | 'cases'): string =>
      tests.reduce((total, test) => total + (test.meta()[figure] ?? 0), 0).toLocaleString('en')
    const skipped = new Map<string, number>()
    for (const test of tests) {
      if (test.result().state !== 'skipped') continue
      const reason = test.meta().missing ?? `without a reason: ${test.module.relativeModuleId}, ${test.fullName}`
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    }
    for (const [reason, count] of skipped) console.log(`skipped ${count}: ${reason}`)
    console.log(`${sum('assertions')} assertions, ${sum('cases')} property cases`)
  }
}
