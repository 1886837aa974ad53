// Starts worker threads. Node makes them of text, which needs no file beside a bundle. A page makes them of a file, which
// the strictest policy allows and bundlers find; where that file does not load, of the text.
import type { FirstMessage } from './protocol.ts'
import { workerText } from './worker-text.ts'

/** A thread that was started. */
export interface Thread {
  terminate(): unknown
}

/** A worker of a page. */
interface PageWorker extends Thread {
  postMessage(message: unknown): void
  onmessage: () => void
  onerror: (event: { readonly message?: string }) => void
}

/** A worker of Node. */
interface NodeWorker extends Thread {
  unref(): void
  on(event: 'error' | 'exit', listener: (error: Partial<Error>) => void): void
}

// Names that browsers and Node share and the language does not have.
declare const URL: { new (url: string, base: string): object; createObjectURL(blob: object): string }
declare const Blob: new (parts: readonly string[], options: object) => object
declare const Worker: new (url: object | string, options?: object) => PageWorker
declare global {
  interface ImportMeta {
    url: string
  }
}

interface Threading {
  readonly Worker: new (text: string, options: object) => NodeWorker
}

/** Called, perhaps more than once, when a thread does not run, with the cause. */
type Gone = (why: string) => void

/** Starts a thread, of Node where that is given; undefined where the platform refuses at once. */
export const startThread = (inNode: unknown, data: FirstMessage, gone: Gone): Thread | undefined =>
  inNode === undefined ? startInPage(data, gone) : startInNode(inNode as Threading, data, gone)

function startInNode(node: Threading, workerData: FirstMessage, gone: Gone): Thread | undefined {
  try {
    const worker = new node.Worker(workerText, { eval: true, workerData, execArgv: [] })
    worker.unref()
    const ended = ({ message = 'it was ended' }): void => gone(message)
    worker.on('error', ended)
    worker.on('exit', ended)
    return worker
  } catch (error) {
    gone((error as Error).message)
    return undefined
  }
}

function startInPage(data: FirstMessage, gone: Gone): Thread {
  const ways = [fromText, fromFile]
  let worker: PageWorker | undefined
  let cause = NOT_LOADED
  const start = (why = ''): void => {
    const make = ways.pop()
    if (make === undefined) {
      gone(`${cause} ${why}`)
      return
    }
    try {
      worker = make()
      // From now on it may hold a part of a task, so that no other may take its place.
      worker.onmessage = () => {
        ways.length = 0
        cause = ''
      }
      worker.onerror = ({ message }) => start(message)
      worker.postMessage(data)
    } catch (error) {
      start((error as Error).message)
    }
  }
  start()
  return { terminate: () => worker?.terminate() }
}

const NOT_LOADED =
  "neither bcast-worker.js nor a blob: URL loads; serve bcast/worker under that name beside the bundle, or let the page's policy allow worker-src 'self' blob:."

// Bundlers find the worker's file by these very words, and want its options without variables.
const fromFile = (): PageWorker => new Worker(new URL('./bcast-worker.js', import.meta.url), { type: 'module' })

const fromText = (): PageWorker => new Worker(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })))
