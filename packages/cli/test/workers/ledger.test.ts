// Every task is submitted once, a bounded number at a time, and again where its job was lost.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jobId } from '../../src/workers/job.ts'
import { Ledger } from '../../src/workers/ledger.ts'
import { planOf } from './plan.ts'

it('gives every task that is not done, once, in order, within the window', () => {
  const numbers = { count: fc.nat(60), batch: fc.integer({ min: 1, max: 8 }), extra: fc.nat(20) }
  fc.assert(
    fc.property(
      fc.record(numbers),
      fc.array(fc.nat(60)),
      fc.infiniteStream(fc.nat()),
      ({ count, batch, extra }, done, choices) => {
        const plan = planOf({ count })
        const isDone = new Set(done)
        const ledger = new Ledger(plan, (index) => isDone.has(index), false)
        const taken: number[] = []
        const open: string[] = []
        while (!ledger.isEmpty) {
          const some = ledger.take(batch, batch + extra)
          taken.push(...some)
          open.push(...some.map((index) => jobId(plan, index)))
          expect(ledger.submitted).toEqual(open)
          expect(open.length).toBeLessThanOrEqual(batch + extra)
          // Any of them may be over next.
          const [id] = open.splice(choices.next().value % open.length, 1)
          expect(ledger.settle(id!)).toBe(Number(id!.split('-')[1]))
          expect(ledger.settle(id!)).toBeUndefined()
        }
        expect(taken).toEqual(Array.from({ length: count }, (_, i) => i).filter((i) => !isDone.has(i)))
      },
    ),
  )
})

it('doubts jobs behind which others are over, until they are submitted again', () => {
  const ledger = new Ledger(planOf({ count: 10 }), () => false, false)
  ledger.take(4, 10)
  const [first, second, ...others] = ledger.submitted
  for (const id of others) ledger.settle(id)
  // Two are over that were submitted behind it, of the second one.
  expect(ledger.overdue(2)).toEqual([first])
  expect(ledger.overdue(1)).toEqual([first, second])
  expect(ledger.renew(first!)).toBe(0)
  expect(ledger.overdue(1)).toEqual([second])
  expect(ledger.submitted).toEqual([second, first])
  expect(ledger.renew('another-1')).toBeUndefined()
})

it('gives nothing more when it is stopped', () => {
  const ledger = new Ledger(planOf({ count: 10 }), () => false, false)
  ledger.take(2, 10)
  ledger.stop()
  expect(ledger.take(2, 10)).toEqual([])
  for (const id of ledger.submitted) ledger.settle(id)
  expect(ledger.isEmpty).toBe(true)
})

it('goes on with jobs that are there, and leaves out those that are over before they are submitted', () => {
  const plan = planOf({ count: 6 })
  const ids = Array.from({ length: 6 }, (_, index) => jobId(plan, index))
  for (const isResumed of [true, false]) {
    const ledger = new Ledger(plan, (index) => index < 2, isResumed)
    expect(ledger.adopt(['another-1', ids[1]!, ids[4]!])).toEqual([ids[1]])
    expect(ledger.submitted).toEqual([ids[1], ids[4]])
    expect(ledger.take(1, 10)).toEqual([2])
    expect([ledger.settle(ids[3]!), ledger.settle(ids[3]!)]).toEqual([isResumed ? 3 : undefined, undefined])
    expect(ledger.settle('another-4')).toBeUndefined()
    expect(ledger.take(9, 20)).toEqual(isResumed ? [5] : [3, 5])
    for (const id of ledger.submitted) expect(ledger.settle(id)).toBeTypeOf('number')
    expect(ledger.isEmpty).toBe(true)
  }
})

it('gives no task whose job somebody else submitted and that is over before its turn', () => {
  const plan = planOf({ count: 6 })
  const ledger = new Ledger(plan, () => false, true)
  ledger.adopt([jobId(plan, 1), jobId(plan, 3), jobId(plan, 4)])
  expect(ledger.settle(jobId(plan, 1))).toBe(1)
  expect(ledger.take(2, 10)).toEqual([0, 2])
  expect(ledger.settle(jobId(plan, 4))).toBe(4)
  expect(ledger.take(9, 20)).toEqual([5])
})

it('submits no job again whose task is done', () => {
  const plan = planOf({ count: 3 })
  const ledger = new Ledger(plan, (index) => index === 1, true)
  const ids = [jobId(plan, 0), jobId(plan, 1)]
  expect(ledger.adopt(ids)).toEqual([ids[1]])
  expect(ids.map((id) => ledger.renew(id))).toEqual([0, undefined])
  expect(ledger.submitted).toEqual([ids[0]])
})
