// Every bundler with its recipe from docs/bundlers.md: built as the page says, then opened in pages of every kind.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from './browser.ts'
import { type Checked, RESULT, saidByBcast } from './check.ts'
import { environment, project, run } from './install.ts'
import { section } from './page.ts'
import { asServed, checkPage, type PageKind, pages, pagesWithoutFile, withInlineScripts } from './pages.ts'
import { freePort, type Served, serveFolder, serveOther } from './serve.ts'

export interface Recipe {
  readonly name: string
  /** Headings under which docs/bundlers.md has its files, the last one first. */
  readonly sections: readonly string[]
  readonly packages: Readonly<Record<string, string>>
  /** Where the page lies once built; undefined where a server of its own shows it. */
  readonly folder?: string
  /** Changes the command of the page, for what it says in words. */
  readonly change?: (command: string) => string
  readonly pages: readonly PageKind[]
  /** Servers of its own: commands that take a port, which the page's headers must come from. */
  readonly servers?: readonly {
    readonly name: string
    readonly command: string
    readonly pages?: readonly PageKind[]
  }[]
  /** A path that its server answers with the result. */
  readonly route?: string
  /** Workers that the program starts itself. */
  readonly own?: number
}

const PAGE = 'Threads in a page'
const OWN = 'In a worker of your own'
const vite5 = { vite: '5.4.21' }
const vite8 = { vite: '8.3.5', rolldown: '1.2.15' }
const webpack = { webpack: '5.112.2', 'webpack-cli': '6.0.1' }
const rollup = { rollup: '4.68.2', '@rollup/plugin-node-resolve': '16.0.3' }
const esbuild = { esbuild: '0.28.2' }
const parcel = { parcel: '2.16.4' }
const next = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' }

const viteServers = [
  { name: 'vite preview', command: 'vite preview --strictPort --host 127.0.0.1 --port' },
  { name: 'vite (development)', command: 'vite --strictPort --host 127.0.0.1 --port' },
]
const isolatedPages = pages.filter(({ name }) => name.startsWith('isolated'))

export const recipes: readonly Recipe[] = [
  { name: 'Vite 5', sections: ['Vite', PAGE], packages: vite5, folder: 'dist', pages, servers: viteServers },
  { name: 'Vite 8', sections: ['Vite', PAGE], packages: vite8, folder: 'dist', pages, servers: viteServers },
  { name: 'webpack 5', sections: ['webpack', PAGE], packages: webpack, folder: 'dist', pages },
  { name: 'Rollup 4', sections: ['Rollup', PAGE], packages: rollup, folder: 'dist', pages },
  { name: 'esbuild', sections: ['esbuild', PAGE], packages: esbuild, folder: 'dist', pages },
  { name: 'Parcel 2', sections: ['Parcel', PAGE], packages: parcel, folder: 'dist', pages: withInlineScripts(pages) },
  {
    name: 'Next 16',
    sections: ['Next'],
    packages: next,
    pages: [],
    servers: [
      { name: 'next start', command: 'next start --hostname 127.0.0.1 --port', pages: withInlineScripts(pages) },
    ],
    route: '/sum',
  },
  {
    name: 'Next 16, webpack',
    sections: ['Next'],
    packages: next,
    change: (command) => command.replace('next build', 'next build --webpack'),
    pages: [],
    servers: [{ name: 'next start', command: 'next start --hostname 127.0.0.1 --port' }],
    route: '/sum',
  },
  {
    name: 'esbuild, one file',
    sections: ['esbuild', PAGE],
    packages: esbuild,
    folder: 'dist',
    change: (command) => command.replace(' bcast-worker=bcast/worker', ''),
    pages: pagesWithoutFile,
  },
  ...[
    { name: 'Vite 5', section: 'Vite', packages: vite5 },
    { name: 'Vite 8', section: 'Vite', packages: vite8 },
    { name: 'webpack 5', section: 'webpack', packages: webpack },
    { name: 'Parcel 2', section: 'Parcel', packages: parcel },
  ].map(({ name, section: own, packages }) => ({
    name: `${name}, own worker`,
    sections: [OWN, own, PAGE],
    packages,
    folder: 'dist',
    pages: own === 'Parcel' ? withInlineScripts(isolatedPages) : isolatedPages,
    own: 1,
  })),
]

/** Builds a recipe and checks it in every page. */
export async function checkRecipe(recipe: Recipe, pack: string, browser: Browser): Promise<Checked[]> {
  const { name, sections, packages, folder: built, change = (command) => command, servers = [], own = 0 } = recipe
  const told = sections.map(section)
  const files = new Map(told.toReversed().flatMap(({ files: each }) => [...each]))
  const folder = await project(packages, pack, files)
  const lines: Checked[] = []
  const builds = told.flatMap(({ commands }) => commands).filter((command) => command.startsWith('npx '))
  for (const command of builds.map((each) => change(each.replace(/^npx /, '')))) {
    const { code, stdout, stderr } = await run(command, [], folder, true)
    if (code !== 0) return [{ what: name, where: command, seen: '', wrong: lastLines(`${stdout}\n${stderr}`) }]
    lines.push({ what: name, where: command, seen: 'built' })
  }
  if (built !== undefined) {
    // Bundlers of programs leave the page to its author.
    await copyFile(join(folder, 'index.html'), join(folder, built, 'index.html'), constants.COPYFILE_EXCL).catch(
      () => 0,
    )
    for (const kind of recipe.pages) {
      const served = await serveFolder(join(folder, built), kind.headers)
      lines.push(await checkPage(browser, name, kind, `${served.origin}/`, own).finally(served.close))
    }
  }
  for (const server of servers) lines.push(...(await checkServer(recipe, server, folder, browser)))
  return lines
}

type ServerOf = NonNullable<Recipe['servers']>[number]

/** Starts a server of the bundler's own, and opens its pages with the headers that it sends, and with others. */
async function checkServer({ name, route, own = 0 }: Recipe, server: ServerOf, folder: string, browser: Browser) {
  const port = await freePort()
  const child = spawn(`${server.command} ${port}`, [], {
    cwd: folder,
    env: environment(folder),
    shell: true,
    detached: true,
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  const origin = `http://127.0.0.1:${port}`
  try {
    if (!(await answers(origin, child)))
      return [{ what: name, where: server.name, seen: '', wrong: `does not answer: ${lastLines(output.join(''))}` }]
    const lines = [await checkPage(browser, name, asServed(server.name), `${origin}/`, own)]
    for (const kind of server.pages ?? []) {
      const served: Served = await serveOther(origin, kind.headers)
      lines.push(await checkPage(browser, name, kind, `${served.origin}/`, own).finally(served.close))
    }
    if (route !== undefined) lines.push(await checkRoute(name, `${origin}${route}`, output))
    return lines
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
}

async function checkRoute(what: string, url: string, output: readonly string[]): Promise<Checked> {
  const answer = await (await fetch(url)).text()
  // What it says on the way may come a little later.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const said = saidByBcast(output.join('').split('\n'))
  const line = { what, where: 'route', seen: `${answer}, ${said.length} warnings` }
  if (answer !== RESULT) return { ...line, wrong: `gave "${answer}"` }
  return said.length === 0 ? line : { ...line, wrong: said.join(' | ') }
}

async function answers(origin: string, child: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const answered = await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-12).join('\n')
