type Library = typeof import('bcast') & typeof import('bcast/npy')

/** The library with the asynchronous form of each function that has one in its place. */
export function asynchronous(library: Library): Library

/** Calls the library, in either form, and gives what came out, by name. */
export function compute(library: Library): Promise<Readonly<Record<string, string>>>
