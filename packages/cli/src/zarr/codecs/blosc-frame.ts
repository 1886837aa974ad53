// The frame of blosc, checked before it is decoded. The decoder knows where a frame begins and goes by what it says from
// there on; cut off or damaged, it would take what lies behind it in memory for a part of it.

/** Of what stands before the blocks: versions, flags, the size of an element; then three sizes of four bytes. */
const HEADER = 16
const MEMCPYED = 0x2
const NOT_SPLIT = 0x10
/** Blocks are split into the bytes of their elements where elements have at most so many bytes, and blocks so many. */
const MOST_SPLITS = 16
const LEAST_SPLIT = 128

/** What is wrong with a frame; undefined where it holds together. */
export function bloscFault({ buffer, byteOffset, byteLength }: Uint8Array): string | undefined {
  if (byteLength < HEADER) return `it has ${byteLength} bytes, and its header takes ${HEADER}`
  const view = new DataView(buffer, byteOffset, byteLength)
  const word = (at: number): number => view.getUint32(at, true)
  const [flags, width] = [view.getUint8(2), view.getUint8(3)]
  const [size, block, length] = [word(4), word(8), word(12)]
  if (length !== byteLength) return `it has ${byteLength} bytes, and says that it has ${length}`
  if ((flags & MEMCPYED) !== 0) return length === size + HEADER ? undefined : 'its sizes contradict each other'
  if (block === 0 || (block > size && size > 0) || width === 0) return `its blocks have ${block} bytes`
  const blocks = Math.ceil(size / block)
  const data = HEADER + 4 * blocks
  if (data > length) return `it has ${length} bytes, fewer than the places of ${blocks} blocks take`
  for (let i = 0; i < blocks; i++) {
    const isWhole = (i + 1) * block <= size
    const isSplit = (flags & NOT_SPLIT) === 0 && width <= MOST_SPLITS && block / width >= LEAST_SPLIT && isWhole
    let at = word(HEADER + 4 * i)
    for (let stream = isSplit ? width : 1; stream > 0; stream--) {
      if (at < data || at + 4 > length || at + 4 + word(at) > length) return `block ${i} lies outside of it`
      at += 4 + word(at)
    }
  }
  return undefined
}
