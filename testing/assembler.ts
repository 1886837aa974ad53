// Another assembler of WebAssembly's text, to judge the texts that bcast prints.
import wabt from 'wabt'

const assembler = await wabt()

/** The bytes that wabt makes of a text. */
export function assembled(text: string): Uint8Array {
  const module = assembler.parseWat('kernel.wat', text, { threads: true, simd: true })
  const { buffer } = module.toBinary({ canonicalize_lebs: true, write_debug_names: false })
  module.destroy()
  return buffer
}
