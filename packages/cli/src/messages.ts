// What the page shares with the command line about error messages: the reader, and what follows from a reading.
export { type Finding, type Framework, frameworks } from './messages/form.ts'
export { type Reading, readMessages } from './messages/read.ts'
export { type Explained, explained, type Telling, tellingOf } from './messages/words.ts'
