// SHA-1, which ONNX uses for the checksum of external data. Browsers offer it only asynchronously.

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits))

export class Sha1 {
  private readonly state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  private readonly words = new Int32Array(80)
  private readonly block = new Uint8Array(64)
  private length = 0

  update(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      const filled = this.length % 64
      const taken = Math.min(64 - filled, bytes.length - at)
      this.block.set(bytes.subarray(at, at + taken), filled)
      this.length += taken
      at += taken
      if (this.length % 64 === 0) this.compress()
    }
  }

  /** The digest in hexadecimal; nothing may follow. */
  digest(): string {
    const bits = this.length * 8
    const padding = new Uint8Array(64 - ((this.length + 8) % 64) + 8)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits % 2 ** 32)
    this.update(padding)
    return [...this.state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  private compress(): void {
    const { words, state } = this
    const view = new DataView(this.block.buffer)
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(4 * i)
    for (let i = 16; i < 80; i++) {
      words[i] = rotate(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1)
    }
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number]
    for (let i = 0; i < 80; i++) {
      const [f, k] = round(i, b, c, d)
      const next = (rotate(a, 5) + f + e + k + words[i]!) | 0
      ;[a, b, c, d, e] = [next, a, rotate(b, 30), c, d]
    }
    for (const [i, word] of [a, b, c, d, e].entries()) state[i] = (state[i]! + word) | 0
  }
}

function round(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999]
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1]
  if (i < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
  return [b ^ c ^ d, 0xca62c1d6]
}
