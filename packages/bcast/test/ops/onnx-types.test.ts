// The element types that ONNX allows, by operator and opset, as those who run ONNX models ask for them.
import { onnxOperandTypes } from 'bcast'
import { describe, expect, it } from 'vitest'

describe('onnxOperandTypes', () => {
  it('follows the opset', () => {
    expect(onnxOperandTypes('Add', 1)).toEqual({ shared: ['float16', 'float32', 'float64'], own: undefined })
    expect(onnxOperandTypes('Add', 13)!.shared).not.toContain('int8')
    expect(onnxOperandTypes('Add', 14)!.shared).toContain('int8')
    expect(onnxOperandTypes('Gemm', 9)!.shared).toContain('int32')
  })

  it('tells an operand that has a type of its own', () => {
    expect(onnxOperandTypes('Where', 16)!.own).toEqual({ operand: 0, types: ['bool'] })
    expect(onnxOperandTypes('Pow', 12)!.own!.types).toContain('int8')
  })

  it('knows nothing of operators before they were there, and of those that ONNX does not have', () => {
    expect(onnxOperandTypes('Where', 8)).toBe(undefined)
    expect(onnxOperandTypes('FloorMod', 20)).toBe(undefined)
    expect(onnxOperandTypes('Conv', 20)).toBe(undefined)
  })
})
