// Runs before every test file of `npm run test:native`: whatever has machine code runs as such, however small.
import { provideKernels } from 'bcast/kernels'
import { install } from '../packages/native/src/install.ts'

install(provideKernels, { level: process.env['BCAST_NATIVE'] as 'avx2' | 'avx512', least: 0, streamFrom: 1 })
