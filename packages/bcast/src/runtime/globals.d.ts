// Names that browsers and Node share and the language does not have. Only what threads.ts uses, so that a bundler
// still sees the plain `new URL('./worker.js', import.meta.url)` it knows how to follow.
declare class URL {
  constructor(url: string, base: string)
}

interface ImportMeta {
  url: string
}
