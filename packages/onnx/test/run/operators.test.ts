// The list of operators that can be run: what the README says, and that inference and ONNX know each of them.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { supportedOperators } from '../../src/index.ts'
import { rowOf } from '../../src/infer/operators/index.ts'
import { elementwiseOperators } from '../../src/model/elementwise-operators.ts'

describe('the operators that can be run', () => {
  it('are those that the README lists', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, listed] = /<!-- operators -->\n([\s\S]*?)\n<!-- end of operators -->/.exec(readme)!
    const others = supportedOperators.filter(({ name }) => !elementwiseOperators.some(({ onnx }) => onnx.name === name))
    const text = others.map(({ name, since }) => (since === 1 ? name : `${name} (${since})`)).join(', ')
    expect(listed!.replaceAll('\n', ' ')).toBe(`${text}.`)
  })

  it('hold every element-wise operator of the library that ONNX has', () => {
    for (const { onnx } of elementwiseOperators) {
      expect(supportedOperators.find(({ domain, name }) => domain === '' && name === onnx.name)?.since).toBe(onnx.since)
    }
  })

  it('are known to shape inference from the same version on', () => {
    for (const { domain, name, since } of supportedOperators) expect(rowOf(domain, name, since), name).toBeDefined()
  })
})
