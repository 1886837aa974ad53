// What the built page may do: run its own scripts and compile WebAssembly, and ask nobody but the place it came from.
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

/** As the content of a meta tag. */
export const policy: string = Object.entries(directives)
  .map((directive) => directive.join(' '))
  .join('; ')
