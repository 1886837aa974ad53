// A wrong value as text, for the error that refuses it.

/** Never throws, whatever it is given. */
export function show(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth > 2) return '…'
  // Array.from turns holes into undefined, which then shows.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => show(item, depth + 1)).join(', ')}]`
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${show(item, depth + 1)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
