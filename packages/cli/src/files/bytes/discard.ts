// Memory of bytes that nobody needs any more goes back at once. As garbage it would bring the collector for every chunk,
// which takes as long as decoding one, and the system would have to bring new pages for the next.
import { MessageChannel } from 'node:worker_threads'

/** Less is no burden to the collector, and may be part of what Node cuts small buffers from. */
const LEAST = 2 ** 17

const { port1: nowhere, port2: end } = new MessageChannel()
end.close()

/** Since Node 21; at once, where what is sent goes when its sender's turn is over. */
const { transfer } = ArrayBuffer.prototype as { transfer?: (length: number) => ArrayBuffer }

/** Gives the memory of bytes back, all that they lie in; nobody may use any of it from then on. Shared memory stays. */
export function discard({ buffer }: ArrayBufferView): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < LEAST) return
  if (transfer !== undefined) transfer.call(buffer, 0)
  // What is sent leaves its sender, and here there is nobody to receive it.
  else nowhere.postMessage(undefined, [buffer])
}
