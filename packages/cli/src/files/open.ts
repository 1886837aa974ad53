// Arrays in files, as the commands open them.
export { openSink, ordersOf } from './open-sink.ts'
export { isReadOnce, openSource } from './open-source.ts'
