import { existsSync, readdirSync } from 'node:fs'
import { judgeDirectory } from './test/support/directory.ts'

const total = { fixed: 0, symbolic: 0, elements: 0, unknown: 0 }
let bad = 0,
  n = 0
const verbose = process.argv.includes('-v')
const unknownOf: string[] = []
for (const root of process.argv.slice(2).filter((x) => x !== '-v'))
  for (const name of readdirSync(root)) {
    const dir = `${root}/${name}`
    if (!existsSync(`${dir}/model.onnx`)) continue
    n++
    try {
      const { faults, tally } = judgeDirectory(dir)
      total.fixed += tally.fixed
      total.symbolic += tally.symbolic
      total.elements += tally.elements
      total.unknown += tally.unknown.length
      if (faults.length > 0) {
        bad++
        console.log(name, '|', faults.slice(0, 3).join(' | ').slice(0, 400))
      }
      if (tally.unknown.length > 0) unknownOf.push(`${name}(${tally.unknown.map((u) => u[0]).join('')})`)
    } catch (error) {
      bad++
      console.log(name, 'THROWS', (error as Error).stack?.split('\n').slice(0, 4).join(' '))
    }
  }
console.log(n, 'directories', bad, 'bad', total)
if (verbose) console.log(unknownOf.join(' '))
