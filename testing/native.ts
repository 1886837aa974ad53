// Runs before every test file of `npm run test:native`: whatever has machine code runs as such, however small.
import { provideKernels } from 'bcast/kernels'
import { install } from '../packages/native/src/install.ts'
import type { Level } from '../packages/native/src/levels.ts'

install(provideKernels, { level: process.env['BCAST_NATIVE'] as Level, least: 0, streamFrom: 1 })
