// Runs before every test file of `npm run test:native`: whatever has machine code runs as such, however small.

import { install } from '../packages/native/src/install.ts'
import type { Level } from '../packages/native/src/levels.ts'

install({ level: process.env['BCAST_NATIVE'] as Level, least: 1, streamFrom: 1 })
