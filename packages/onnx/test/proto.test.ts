// The generated code is what the .proto file gives: an edit of one without the other fails here.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

const folder = path.resolve(import.meta.dirname, '..')

it('src/proto is up to date (npm run generate)', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'onnx-proto-'))
  try {
    execFileSync('npm', ['run', '--silent', 'generate', '--', '--output', out], { cwd: folder, stdio: 'pipe' })
    const made = readFileSync(path.join(out, 'src/proto/onnx_pb.ts'), 'utf8')
    expect(readFileSync(path.join(folder, 'src/proto/onnx_pb.ts'), 'utf8')).toBe(made)
  } finally {
    rmSync(out, { recursive: true })
  }
})
