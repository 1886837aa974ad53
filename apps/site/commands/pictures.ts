// `npm run site:pictures`: draws the pictures of the documentation anew, and writes the words beside them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drawnPictures } from '../docs/drawn-pictures.ts'
import { sections } from '../docs/pages.ts'
import { root, textOf } from '../docs/repository.ts'
import { command } from './command.ts'

const usage = `usage: npm run site:pictures

Draws the pictures that comments in docs/*.md ask for, with the drawing code of the page, and writes the words beside them.

  --help  prints this`

await command({
  usage,
  run: async () => {
    for (const { source } of sections.flatMap(({ pages }) => pages)) {
      const before = textOf(source)
      const { text, files } = drawnPictures(source, before)
      if (text !== before) writeFileSync(join(root, source), text)
      for (const [file, svg] of files) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), svg)
        console.log(file)
      }
    }
    return undefined
  },
})
