// `npm run conformance -- PATH…`.

import { conformance } from './command.ts'

process.exitCode = conformance(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
