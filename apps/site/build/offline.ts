// The worker that keeps the page: it stores every file of the folder on the first visit and answers from there. Its
// version is a hash of all files, so that a new build is a new store. What is read beside the page is stored as far as
// the network goes along.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './files.ts'

const NAME = 'offline.js'

/** Runs in the browser. `FILES`, `BESIDE` and `VERSION` stand before it. */
const script = `
const store = 'bcast-' + VERSION
self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(store)
      .then((cache) => cache.addAll(FILES).then(() => Promise.allSettled(BESIDE.map((file) => cache.add(file)))))
      .then(() => self.skipWaiting()),
  )
})
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith('bcast-') && name !== store).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  event.respondWith(
    caches.open(store).then((cache) => cache.match(request, { ignoreSearch: true })).then((kept) => kept || fetch(request)),
  )
})
`

/** Writes it beside the page. */
export function writeOffline(folder: string): void {
  const files = filesIn(folder).filter((file) => file !== NAME)
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)))
  const version = hash.digest('hex').slice(0, 16)
  const isBeside = (file: string): boolean => file.startsWith('docs/')
  const addresses = (some: readonly string[]): string => JSON.stringify(some.map((file) => `./${file}`))
  const own = files.filter((file) => !isBeside(file))
  const lists = `const FILES = ${addresses(['', ...own])}\nconst BESIDE = ${addresses(files.filter(isBeside))}`
  writeFileSync(join(folder, NAME), `const VERSION = '${version}'\n${lists}\n${script}`)
}
