// The pictures that texts of the repository show of broadcasts, and the words beside them: comments say what is drawn.
import { posix } from 'node:path'
import { followingPicture, pictureText } from './pictures.ts'
import { annotationIn } from './playground.ts'

export interface Drawn {
  /** The text with the words of every picture. */
  readonly text: string
  /** Files by their paths from the root of the repository. */
  readonly files: ReadonlyMap<string, string>
}

const PICTURE = /^(<!-- playground .* -->)\n!\[.*\]\((.*)\)$/gm

export function drawnPictures(source: string, text: string): Drawn {
  const files = new Map<string, string>()
  const described = text.replace(PICTURE, (whole, comment: string, shown: string) => {
    const annotation = annotationIn(comment)
    if (annotation?.picture === undefined) return whole
    if (annotation.picture !== shown) throw new Error(`${source} draws ${annotation.picture} and shows ${shown}`)
    files.set(posix.join(posix.dirname(source), shown), followingPicture(annotation.state))
    return `${comment}\n![${pictureText(annotation.state)}](${shown})`
  })
  return { text: described, files }
}
