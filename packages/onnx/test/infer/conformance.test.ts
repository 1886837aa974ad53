// ONNX's own test directories: nothing that inference says contradicts what they record.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { facts, filesIn } from '../../../../testing/models/packaged.ts'
import { needs } from '../../../../testing/needs.ts'
import { judgeDirectory } from '../support/directory.ts'

const folders = filesIn(facts, 'model.onnx').map((file) => path.dirname(file))

describe('test directories of ONNX', needs('conformance', folders.length > 0), () => {
  it('are many', () => {
    expect(folders.length).toBeGreaterThan(200)
  })

  it.each(folders.map((folder) => [path.relative(facts, folder), folder] as const))('%s', (_, folder) => {
    expect(judgeDirectory(folder).faults).toEqual([])
  })
})
