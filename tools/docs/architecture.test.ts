// What docs/architecture.md and CONTRIBUTING.md say of the code is so: files are there, bounds are those of the code, the
// plan is the plan.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lower } from '../../packages/bcast/src/expr/lower.ts'
import { add } from '../../packages/bcast/src/expr/rows/index.ts'
import { formatPlan } from '../../packages/bcast/src/plan/format.ts'
import { planCall } from '../../packages/bcast/src/plan/plan.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Where a name that leaves something out is looked for. */
const SHORT_FOR = [
  '',
  'packages/bcast/src/',
  'packages/bcast/src/backend/',
  'packages/bcast/src/backend/webassembly/memory/',
  'packages/bcast/src/backend/webassembly/threads/',
]

describe.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s', (file) => {
  const prose = text(file).replace(/^```[\s\S]*?^```/gm, '')

  it('is short', () => {
    expect(text(file).split('\n').length).toBeLessThan(200)
  })

  it('names files and folders that exist', () => {
    const names = [...prose.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!)
    const paths = names.filter((name) => /\/|\.(ts|js|md)$/.test(name))
    expect(paths.length).toBeGreaterThan(file === 'CONTRIBUTING.md' ? 5 : 40)
    expect(paths.filter((path) => !SHORT_FOR.some((before) => existsSync(join(root, before, path))))).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  const document = text('docs/architecture.md')

  it('has the bounds of the caches', () => {
    const bounds = [...document.matchAll(/`(M(?:AX|OST)_\w+ = \d+)` \| `([\w./-]+)`/g)]
    expect(bounds.length).toBeGreaterThan(5)
    const wrong = bounds.filter(([, bound, file]) => !text(file!).includes(`const ${bound}`))
    expect(wrong.map(([row]) => row)).toEqual([])
  })

  it('prints the plan of a matrix and a row', () => {
    const program = lower(add, ['float32', 'float32'], {})
    const operands = [
      [4096, 1],
      [0, 1],
      [4096, 1],
    ].map((strides) => ({ strides, width: 4, resident: true }))
    const plan = planCall({ program, shape: [4098, 4096], operands }, { threads: 2, now: true, unshared: true })
    expect(document).toContain(formatPlan(plan))
  })
})
