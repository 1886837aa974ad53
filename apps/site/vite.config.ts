// How the page is built: the library and the command line's modules from their sources, addresses relative to wherever
// the folder is served, and a policy that lets nothing in from elsewhere.
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { policy } from '../../packages/cli/src/playground/policy.ts'
import { paletteCss } from './src/picture/palette-css.ts'

const PALETTE = 'virtual:palette.css'

/** The colours of pictures as a style sheet, so that page and pictures have them from one place. */
const palette: Plugin = {
  name: 'palette',
  resolveId: (id) => (id === PALETTE ? `\0${PALETTE}` : undefined),
  load: (id) => (id === `\0${PALETTE}` ? paletteCss() : undefined),
}

/** The policy as the first thing that the built page says; the development server needs more than it allows. */
const withPolicy: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' },
  ],
}

/** Threads of the library start from a file that its own build makes; here it is made from its source. */
const worker = fileURLToPath(new URL('../../packages/bcast/src/backend/webassembly/threads/worker.ts', import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [palette, withPolicy],
  // Where its documentation is: beside it, unless a build has none.
  define: { DOCUMENTATION: JSON.stringify('./docs/index.html') },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    conditions: ['bcast-source', 'module', 'browser', 'production'],
    alias: [{ find: /^.*\/bcast-worker\.js$/, replacement: worker }],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The size that counts is that of the whole first load, and a test holds it.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
})
