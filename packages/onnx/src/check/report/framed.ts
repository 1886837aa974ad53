// A summary is read first, and looked for where a long text ends.

/** Lines that are taken in at once. */
const GLANCE = 12

/** Blocks of lines below a summary, which stands below long ones again. */
export function framed(summary: readonly string[], blocks: readonly (readonly string[])[]): string {
  const length = blocks.reduce((sum, lines) => sum + lines.length + 1, 0)
  return [summary, ...blocks, ...(length > GLANCE ? [summary] : [])].map((lines) => lines.join('\n')).join('\n\n')
}
