// `npm run bench`: installs what is needed, measures every workload beside every peer that can be had, and reports.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { chart } from './chart.ts'
import { type FirstCalls, firstCalls } from './first-call.ts'
import { markdown, terminalText } from './forms.ts'
import { folder, prepareNode, prepareRoofline } from './install.ts'
import { json } from './json.ts'
import { Bench, type Measured, type Pace } from './measure.ts'
import { memoryOf } from './memory.ts'
import { OperandFiles } from './operands.ts'
import { type Options, readOptions } from './options.ts'
import { isOwn } from './own.ts'
import { bcast, prepareNative, preparePeers } from './peers.ts'
import type { Report } from './report.ts'
import { writeSummary } from './summary.ts'
import type { Workload } from './workload.ts'
import { workloads } from './workloads.ts'

const PACE: Pace = { rounds: 4, turn: 100, warmUp: 200 }
const QUICK: Pace = { rounds: 1, turn: 5, warmUp: 5 }

function askedFor(all: readonly Workload[], only: readonly string[] | undefined): readonly Workload[] {
  const isMeant =
    (text: string) =>
    ({ id, title }: Workload) =>
      id.includes(text) || title.includes(text)
  const unknown = only?.find((text) => !all.some(isMeant(text)))
  if (unknown !== undefined) {
    console.error(`no workload has ${unknown} in its id or title; there are ${all.map(({ id }) => id).join(', ')}`)
    process.exit(2)
  }
  return only === undefined ? all : all.filter((workload) => only.some((text) => isMeant(text)(workload)))
}

async function measure({ only, quick, peers: ids }: Options): Promise<Report> {
  const asked = askedFor(workloads(quick), only)
  prepareNode()
  const native = prepareNative()
  const own = 'reason' in native ? [bcast] : [bcast, native]
  const { ready, absent } = preparePeers(ids)
  const noRoofline = prepareRoofline()
  const cores = availableParallelism()
  const threads = cores > 1 ? [1, cores] : [1]
  const files = new OperandFiles(mkdtempSync(join(folder, 'operands-')))
  const bench = new Bench(files, quick ? QUICK : PACE, [...own, ...ready], threads, noRoofline === undefined)
  try {
    const measured: Measured[] = []
    for (const [i, workload] of asked.entries()) {
      console.error(`${i + 1}/${asked.length} ${workload.title}`)
      measured.push(await bench.measure(workload))
    }
    await bench.close()
    const first: FirstCalls[] = []
    if (only === undefined) {
      console.error('First calls…')
      for (const peer of [...own, ...ready.filter(({ id }) => id !== 'loop')]) {
        first.push(await firstCalls(peer, files, quick ? 1 : peer.restarts ? 5 : 2))
      }
    }
    console.error('Memory…')
    const memory = quick ? { reason: 'operands are too small to see it' } : memoryOf(asked, threads)
    const gone = noRoofline === undefined ? [] : [{ id: 'c', title: 'C program', reason: noRoofline }]
    return { date: new Date(), measured, first, memory, native, peers: ready, absent: [...absent, ...gone] }
  } finally {
    await bench.close()
    files.remove()
  }
}

const options = readOptions()
const report = await measure(options)
console.log(terminalText(report))
if (options.json !== undefined) writeFileSync(options.json, json(report))
if (!options.quick && options.only === undefined && report.absent.every(({ reason }) => reason !== 'not asked for')) {
  writeFileSync(new URL('../docs/bench.md', import.meta.url), markdown(report))
  writeFileSync(new URL('../docs/bench.svg', import.meta.url), chart(report.measured))
  writeSummary(report)
}
const wrong = report.measured.flatMap(({ contenders }) =>
  contenders.filter(({ peer, problem }) => isOwn(peer.id) && problem !== undefined),
)
if (wrong.length > 0) {
  console.error('bcast itself failed somewhere; see above.')
  process.exitCode = 1
}
