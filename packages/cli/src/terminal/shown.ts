// A text of this program as it is seen: nothing hidden in it, no wider than what shows it, painted where colour is
// wanted.
import { banded } from './bands.ts'
import { paintOf, wantsColour } from './colour.ts'
import { visible } from './visible.ts'
import { type Stream, widthOf } from './width.ts'
import { wrapped } from './wrap.ts'

/** A text for a stream, or for a file, which has no properties of one. A line is painted as one, however many it becomes. */
export function shownOn(stream: Stream, text: string): string {
  const width = widthOf(stream)
  const isPainted = wantsColour(process.env, stream.isTTY === true)
  return banded(visible(text).split('\n'), width)
    .flatMap((line) => wrapped(line, width).map(isPainted ? paintOf(line) : String))
    .join('\n')
}
