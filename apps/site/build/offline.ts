// The worker that keeps the page: it stores every file of the folder on the first visit and answers from there. Its
// version is a hash of all files, so that a new build is a new store.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './files.ts'

const NAME = 'offline.js'

/** Runs in the browser. `FILES` and `VERSION` stand before it. */
const script = `
const store = 'bcast-' + VERSION
self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()))
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
  const kept = ['./', ...files.filter((file) => file !== 'index.html').map((file) => `./${file}`)]
  writeFileSync(join(folder, NAME), `const VERSION = '${version}'\nconst FILES = ${JSON.stringify(kept)}\n${script}`)
}
