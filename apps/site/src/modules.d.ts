// What is imported and is no module of the language.
declare module 'virtual:palette.css'
declare module '*.css'

/** Workers have it, and TypeScript's list of what pages have does not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}
