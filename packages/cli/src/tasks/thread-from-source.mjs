// Begins a thread from the sources, which Node alone does not read.
import { register } from 'tsx/esm/api'

register()
await import('./thread.ts')
