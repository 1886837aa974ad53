// dependency-cruiser parses every file as TypeScript without elements; the page's components have them. Loaded before
// it, this says so for files that are named .tsx.
import { createRequire } from 'node:module'

const swc = createRequire(import.meta.url)('@swc/core')
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })
