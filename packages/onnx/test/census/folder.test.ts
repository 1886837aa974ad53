// The models of a folder.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { census, writeModel } from '../../src/index.ts'
import { modelFiles, readModelFile } from '../../src/node.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'bcast-census-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bytes = writeModel(modelOf({ inputs: { x: '2, 3', k: '3' }, nodes: [node('Add', 'x k', 'y')] }))
mkdirSync(path.join(folder, 'deep/er'), { recursive: true })
mkdirSync(path.join(folder, 'folder.onnx'))
for (const name of ['b.onnx', 'deep/er/a.ONNX', 'folder.onnx/in.onnx']) writeFileSync(path.join(folder, name), bytes)
writeFileSync(path.join(folder, 'damaged.onnx'), bytes.subarray(0, -3))
writeFileSync(path.join(folder, 'notes.txt'), '')
symlinkSync(path.join(folder, 'gone'), path.join(folder, 'link.onnx'))
symlinkSync(path.join(folder, 'loop.onnx'), path.join(folder, 'loop.onnx'))
// Reading one that nobody writes to would never end.
execFileSync('mkfifo', [path.join(folder, 'pipe.onnx')])

/** The superuser may read everything. */
function asNobody(use: () => void): void {
  const isRoot = process.getuid!() === 0
  if (isRoot) process.seteuid!(65534)
  try {
    use()
  } finally {
    if (isRoot) process.seteuid!(0)
  }
}

describe('the models of a folder', () => {
  it('are its .onnx files at any depth, in order', () => {
    expect(modelFiles(folder).map((file) => path.relative(folder, file).split(path.sep).join('/'))).toEqual([
      'b.onnx',
      'damaged.onnx',
      'deep/er/a.ONNX',
      'folder.onnx/in.onnx',
      'link.onnx',
      'loop.onnx',
    ])
    expect(modelFiles(path.join(folder, 'notes.txt'))).toEqual([path.join(folder, 'notes.txt')])
    expect(() => modelFiles(path.join(folder, 'none'))).toThrow(/ENOENT/)
  })

  it('come once, whichever links lead to them', () => {
    const linked = path.join(folder, 'folder.onnx')
    const below = mkdtempSync(path.join(tmpdir(), 'bcast-links-'))
    mkdirSync(path.join(below, 'm'))
    writeFileSync(path.join(below, 'm/a.onnx'), bytes)
    symlinkSync('..', path.join(below, 'm/up'))
    symlinkSync('a.onnx', path.join(below, 'm/b.onnx'))
    symlinkSync(linked, path.join(below, 'm/elsewhere'))
    const inBelow = (name: string): string => path.join(below, name)
    expect(modelFiles(below)).toEqual([inBelow('m/a.onnx'), inBelow('m/elsewhere/in.onnx')])
    expect(modelFiles(linked, below, inBelow('m/b.onnx'))).toEqual([path.join(linked, 'in.onnx'), inBelow('m/a.onnx')])
    rmSync(below, { recursive: true })
  })

  it('leave a folder in their place that may not be searched', () => {
    const open = mkdtempSync(path.join(tmpdir(), 'bcast-locked-'))
    const [locked, listed] = [path.join(open, 'locked'), path.join(open, 'listed')]
    mkdirSync(locked)
    mkdirSync(path.join(listed, 'in'), { recursive: true })
    writeFileSync(path.join(open, 'z.onnx'), bytes)
    chmodSync(open, 0o755)
    chmodSync(locked, 0o000)
    chmodSync(listed, 0o444)
    asNobody(() => {
      expect(modelFiles(open)).toEqual([path.join(listed, 'in'), locked, path.join(open, 'z.onnx')])
      expect(() => readModelFile(locked)).toThrow(/EACCES/)
    })
    for (const each of [locked, listed]) chmodSync(each, 0o755)
    rmSync(open, { recursive: true })
  })

  it('are counted, and those that cannot be read are listed', () => {
    const sources = modelFiles(folder).map((file) => ({
      name: path.basename(file),
      model: () => readModelFile(file).model,
    }))
    const { models, failures } = census(sources)
    expect(models.map(({ name }) => name)).toEqual(['b.onnx', 'a.ONNX', 'in.onnx'])
    expect(failures.map(({ name, code }) => [name, code])).toEqual([
      ['damaged.onnx', 'ONNX_DAMAGED'],
      ['link.onnx', 'ENOENT'],
      ['loop.onnx', 'ELOOP'],
    ])
  })
})
