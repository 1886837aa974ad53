// The library for Node and its like, where calls share their work with threads from the first one on. A page, whose own
// thread never waits for others, loads their code when a call wants them.
import { provideThreads } from './backend/webassembly/threads/load.ts'
import * as threads from './backend/webassembly/threads/threads.ts'

export * from './index.ts'

provideThreads(threads)
