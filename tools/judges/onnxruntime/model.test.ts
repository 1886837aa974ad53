import { readModel } from '@bcast/onnx'
import { describe, expect, it } from 'vitest'
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
    const { graph, opsets } = readModel(modelOf(question('Where'), ['bool', 'float32', 'float32']))
    expect(graph.inputs.map(({ name, type }) => [name, type])).toEqual([
      ['x0', { kind: 'tensor', element: 'bool', shape: null }],
      ['x1', { kind: 'tensor', element: 'float32', shape: null }],
      ['x2', { kind: 'tensor', element: 'float32', shape: null }],
    ])
    expect(graph.outputs.map(({ name }) => name)).toEqual(['y'])
    expect(opsets.get('')).toBe(22)
    expect(graph.nodes).toHaveLength(1)
    expect(graph.nodes[0]).toMatchObject({ opType: 'Where', inputs: ['x0', 'x1', 'x2'], outputs: ['y'] })
  })

  it('writes attributes of each kind', () => {
    const attributes = (op: string, attrs: Attributes) =>
      readModel(modelOf(question(op, attrs), ['float32', 'float32'])).graph.nodes[0]!.attributes
    expect(attributes('Mod', { fmod: true }).int('fmod')).toBe(1)
    expect(attributes('BitShift', { direction: 'RIGHT' }).string('direction')).toBe('RIGHT')
    expect(attributes('Gemm', { alpha: 0.5, transB: true }).float('alpha')).toBe(0.5)
    expect(attributes('Gemm', { alpha: 0.5, transB: true }).int('transB')).toBe(1)
    expect(attributes('Cast', { to: 'bfloat16' }).int('to')).toBe(16)
  })
})
