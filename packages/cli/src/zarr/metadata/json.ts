// Metadata as JSON text. Integers of 64 bits do not survive JavaScript's numbers, so that a fill value of many digits
// is a text of digits on this side.

/** What JSON can say, with the digits of a large fill value as a text. */
export function parseMetadata(text: string): unknown {
  return JSON.parse(text.replace(/("fill_value"\s*:\s*)(-?\d{16,})(?=\s*[,}])/g, '$1"$2"'))
}

export const metadataText = (metadata: object): string =>
  `${JSON.stringify(metadata, undefined, 2).replace(/("fill_value": )"(-?\d{16,})"/g, '$1$2')}\n`

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as it stands in the text, for messages; long ones are cut. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
