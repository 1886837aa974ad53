// `npm start` is the first command of most people: it installs what the program needs and nothing of what tests need.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly link?: boolean
}

it('installs few packages for the tour', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
  const packages = Object.entries(lock.packages as Readonly<Record<string, Locked>>)
  const forTour = packages.filter(
    ([path, { dev, optional, link }]) => path.includes('node_modules/') && !dev && !optional && !link,
  )
  expect(forTour.map(([path]) => path.replace(/^.*node_modules\//, '')).sort()).toEqual([
    '@bufbuild/protobuf',
    '@ioredis/commands',
    'aws4fetch',
    'bullmq',
    'cluster-key-slot',
    'commander',
    'cron-parser',
    'debug',
    'denque',
    'detect-libc',
    'esbuild',
    'fflate',
    'ioredis',
    'koffi',
    'luxon',
    'ms',
    'msgpackr',
    'node-abort-controller',
    'numcodecs',
    'pend',
    'pg',
    'pg-connection-string',
    'pg-int8',
    'pg-pool',
    'pg-protocol',
    'pg-types',
    'pgpass',
    'postgres-array',
    'postgres-bytea',
    'postgres-date',
    'postgres-interval',
    'redis-errors',
    'semver',
    'split2',
    'standard-as-callback',
    'tslib',
    'tsx',
    'xtend',
    'yauzl',
  ])
})
