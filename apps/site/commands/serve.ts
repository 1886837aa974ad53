// The server of the built page is the one that `bcast playground` has.
export { type Served, serveFolder } from '@bcast/cli/serve'
