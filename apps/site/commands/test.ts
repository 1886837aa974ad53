// `npm run site:test`: builds the page and opens it in Chromium, as people would.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { command } from './command.ts'

const usage = `usage: npm run site:test -- [NAME…]

Builds the page into apps/site/dist and runs apps/site/e2e in Chromium; without one they are skipped, with the reason.

  NAME    only files whose name has it
  --help  prints this`

await command({
  usage,
  words: true,
  run: async ({ positionals }) => {
    const { buildSite } = await import('../build/build.ts')
    console.log(await buildSite())
    const config = fileURLToPath(new URL('../e2e/vitest.config.ts', import.meta.url))
    const vitest = ['--no', '--', 'vitest', 'run', '--config', config, ...positionals]
    return spawnSync('npx', vitest, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1
  },
})
