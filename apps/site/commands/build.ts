// `npm run site:build`: the page as one folder.
import { command } from './command.ts'

const usage = `usage: npm run site:build

Builds the page into apps/site/dist, a folder that any server can serve under any path, and prints the size of its files.

  --help  prints this`

await command({
  usage,
  run: async () => {
    const { buildSite } = await import('../build/build.ts')
    console.log(await buildSite())
    return undefined
  },
})
