// Preloaded into the process that is measured: writes its peak resident size, in KiB, to the file named.
import { writeFileSync } from 'node:fs'

process.on('exit', () => writeFileSync(process.env.BCAST_PEAK, String(process.resourceUsage().maxRSS)))
