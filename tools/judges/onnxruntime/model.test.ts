// The models written by hand are read back by the reader that the conformance runner uses.
import { describe, expect, it } from 'vitest'
import { readModel } from '../../conformance/onnx/model.ts'
import type { Attributes, ComputeCase } from '../case.ts'
import { modelOf } from './model.ts'

const question = (op: string, attrs: Attributes = {}): ComputeCase => ({
  id: 0,
  kind: 'compute',
  op,
  attrs,
  rule: { name: 'numpy' },
  inputs: [],
})

describe('modelOf', () => {
  it('holds one node with its inputs, its output and the opset', () => {
    const model = readModel(modelOf(question('Where'), ['bool', 'float32', 'float32']))
    expect(model.inputs).toEqual(['x0', 'x1', 'x2'])
    expect(model.outputs).toEqual(['y'])
    expect(model.opsets.get('')).toBe(22)
    expect(model.nodes).toHaveLength(1)
    expect(model.nodes[0]).toMatchObject({ op: 'Where', inputs: ['x0', 'x1', 'x2'], outputs: ['y'] })
  })

  it('writes attributes of each kind', () => {
    const attributes = (op: string, attrs: Attributes) =>
      readModel(modelOf(question(op, attrs), ['float32', 'float32'])).nodes[0]!.attributes
    expect(attributes('Mod', { fmod: true }).get('fmod')).toEqual({ type: 'int', value: 1n })
    expect(attributes('BitShift', { direction: 'RIGHT' }).get('direction')).toEqual({ type: 'string', value: 'RIGHT' })
    expect(attributes('Gemm', { alpha: 0.5, transB: true }).get('alpha')).toEqual({ type: 'float', value: 0.5 })
    expect(attributes('Gemm', { alpha: 0.5, transB: true }).get('transB')).toEqual({ type: 'int', value: 1n })
    expect(attributes('Cast', { to: 'bfloat16' }).get('to')).toEqual({ type: 'int', value: 16n })
  })

  it('writes lengths beyond one byte', () => {
    const types = Array.from({ length: 40 }, () => 'float32' as const)
    expect(readModel(modelOf(question('Max'), types)).inputs).toHaveLength(40)
  })
})
