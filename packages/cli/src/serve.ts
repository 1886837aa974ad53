// What the page shares with the command line about serving itself.
export { policy } from './playground/policy.ts'
export { type Served, serveFolder } from './playground/serve.ts'
