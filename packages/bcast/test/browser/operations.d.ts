/** Calls the library and gives what came out, by name. */
export function compute(library: typeof import('bcast')): Readonly<Record<string, string>>
