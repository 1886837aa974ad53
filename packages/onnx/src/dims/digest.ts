// A name for a text of any length. 128 bits, so that two of the expressions of a model never share one by chance.

/** 32 hexadecimal digits. */
export function digest(text: string): string {
  const factors = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]
  const lanes = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]
  for (let i = 0; i < text.length; i++) {
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(lanes[lane]! ^ text.charCodeAt(i), factors[lane]!)
      lanes[lane] = mixed ^ (mixed >>> 15) ^ lanes[(lane + 1) % 4]!
    }
  }
  for (let round = 0; round < 8; round++) {
    const lane = round % 4
    const mixed = Math.imul(lanes[lane]! ^ (lanes[(lane + 3) % 4]! >>> 13), factors[lane]!)
    lanes[lane] = mixed ^ (mixed >>> 16)
  }
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}
