// The worker that keeps the page: it stores the page's own files on the first visit, whatever else the folder has when
// it is visited, and answers from there. Its version is a hash of all files, so that a new build is a new store.
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
    caches.open(store).then(async (cache) => {
      const kept = await cache.match(request, { ignoreSearch: true })
      if (kept) return kept
      const answer = await fetch(request)
      if (answer.ok) await cache.put(request, answer.clone())
      return answer
    }),
  )
})
`

/** Writes it beside the page. */
export function writeOffline(folder: string): void {
  const files = filesIn(folder).filter((file) => file !== NAME)
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)))
  const version = hash.digest('hex').slice(0, 16)
  const own = files.filter((file) => !file.includes('/') || file.startsWith('assets/'))
  const kept = ['./', ...own.map((file) => `./${file}`)]
  writeFileSync(join(folder, NAME), `const VERSION = '${version}'\nconst FILES = ${JSON.stringify(kept)}\n${script}`)
}
