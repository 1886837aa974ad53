// Where the cells of an array lie: the last axis goes to the right, the one before it down, the third to the right again
// in pages, the fourth down. A long axis shows its beginning and its end.

/** Cells along one axis. */
export interface Track {
  /** Indices that are shown, and where each begins. */
  readonly marks: readonly { readonly index: number; readonly at: number }[]
  readonly length: number
  /** Where the middle of what is left out lies; undefined where all is shown. */
  readonly gap: number | undefined
}

/** Room of what is left out, in cells. */
const GAP = 0.7

/** At most `most` cells of `size`, each `step` further than the one before, `extent` long. */
export function trackOf(size: number, most: number, step: number, extent: number): Track {
  if (size <= most) {
    const marks = Array.from({ length: size }, (_, index) => ({ index, at: index * step }))
    return { marks, length: size === 0 ? extent : (size - 1) * step + extent, gap: undefined }
  }
  const first = Array.from({ length: most - 1 }, (_, index) => ({ index, at: index * step }))
  const end = (most - 2) * step + extent
  const room = GAP * Math.min(extent, 40)
  const last = { index: size - 1, at: end + room + (step - extent) }
  return { marks: [...first, last], length: last.at + extent, gap: end + (last.at - end) / 2 }
}

/** Cells that are shown along each axis from the right, by rank: pictures stay small enough to see at once. */
export const SHOWN: readonly (readonly number[])[] = [[], [10], [8, 8], [6, 6, 4], [5, 5, 3, 3]]

export interface Lattice {
  /** From the left, as the axes. */
  readonly tracks: readonly Track[]
  readonly width: number
  readonly height: number
}

export interface CellSize {
  readonly width: number
  readonly height: number
}

/** Room between pages. */
export const PAGE_GAP = 14

export function latticeOf(sizes: readonly number[], cell: CellSize): Lattice {
  const rank = sizes.length
  const limits = SHOWN[rank]!
  let [width, height] = [cell.width, cell.height]
  const tracks: Track[] = []
  for (let back = 1; back <= rank; back++) {
    const isAcross = back % 2 === 1
    const extent = isAcross ? width : height
    const track = trackOf(sizes[rank - back]!, limits[back - 1]!, extent + (back > 2 ? PAGE_GAP : 0), extent)
    if (isAcross) width = track.length
    else height = track.length
    tracks.unshift(track)
  }
  return { tracks, width, height }
}

export interface CellPlace {
  readonly index: readonly number[]
  readonly x: number
  readonly y: number
}

/** Every cell that is shown, in row-major order. */
export function cellsOf({ tracks }: Lattice): CellPlace[] {
  let cells: CellPlace[] = [{ index: [], x: 0, y: 0 }]
  for (const [place, { marks }] of tracks.entries()) {
    const isAcross = (tracks.length - place) % 2 === 1
    cells = cells.flatMap(({ index, x, y }) =>
      marks.map(({ index: i, at }) => ({
        index: [...index, i],
        x: isAcross ? x + at : x,
        y: isAcross ? y : y + at,
      })),
    )
  }
  return cells
}
