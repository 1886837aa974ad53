// ONNX's own test directories: nothing that inference says contradicts what they record.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeDirectory } from '../support/directory.ts'
import { facts, filesIn } from '../support/models.ts'

const folders = filesIn(facts, 'model.onnx').map((file) => path.dirname(file))

describe.runIf(folders.length > 0)('test directories of ONNX', () => {
  it('are many', () => {
    expect(folders.length).toBeGreaterThan(200)
  })

  it.each(folders.map((folder) => [path.relative(facts, folder), folder] as const))('%s', (_, folder) => {
    expect(judgeDirectory(folder).faults).toEqual([])
  })
})
