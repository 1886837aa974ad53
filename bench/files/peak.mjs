// Preloaded into the process that is measured: writes its peak resident size, in KiB, to the file named.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const STATUS = '/proc/self/status'

/** Linux passes the maximum of resourceUsage() on from the process that starts this one; the status is its own. */
const peak = () =>
  existsSync(STATUS) ? /VmHWM:\s*(\d+)/.exec(readFileSync(STATUS, 'utf8'))[1] : process.resourceUsage().maxRSS

process.on('exit', () => writeFileSync(process.env.BCAST_PEAK, String(peak())))
