// Loops of running sums, one set for each kind of array: a loop that sees many kinds is slow in all of them. Sums of
// floats wait for each other, so that four lines side by side take hardly longer than one.

/** Lines that lie side by side: where they begin, and the steps along a line and from line to line. */
export interface Lines {
  readonly from: number
  readonly to: number
  readonly alongFrom: number
  readonly alongTo: number
  readonly acrossFrom: number
  readonly acrossTo: number
  readonly count: number
}

/** Sums at the places `begin` to `end` of lines; places before have theirs. */
type Loop<A> = (from: A, to: A, lines: Lines, begin: number, end: number) => void

export interface Sums<A> {
  /** Line by line. */
  readonly along: Loop<A>
  /** Place by place. */
  readonly across: Loop<A>
}

/** The first place of every line. */
function begun<T>(from: ArrayLike<T>, to: { [place: number]: T }, lines: Lines): void {
  let [at, place] = [lines.from, lines.to]
  for (let line = 0; line < lines.count; line++, at += lines.acrossFrom, place += lines.acrossTo) to[place] = from[at]!
}

export const float32Sums: Sums<Float32Array> = {
  along(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    let line = 0
    for (; line + 4 <= count; line += 4) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      const before = place - alongTo
      // Whatever is added to -0 is itself.
      let a = begin === 0 ? -0 : to[before]!
      let b = begin === 0 ? -0 : to[before + acrossTo]!
      let c = begin === 0 ? -0 : to[before + 2 * acrossTo]!
      let d = begin === 0 ? -0 : to[before + 3 * acrossTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        a = Math.fround(a + from[at]!)
        b = Math.fround(b + from[at + acrossFrom]!)
        c = Math.fround(c + from[at + 2 * acrossFrom]!)
        d = Math.fround(d + from[at + 3 * acrossFrom]!)
        to[place] = a
        to[place + acrossTo] = b
        to[place + 2 * acrossTo] = c
        to[place + 3 * acrossTo] = d
      }
    }
    for (; line < count; line++) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      let sum = begin === 0 ? -0 : to[place - alongTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        sum = Math.fround(sum + from[at]!)
        to[place] = sum
      }
    }
  },
  across(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    if (begin === 0) begun(from, to, lines)
    for (let i = Math.max(1, begin); i < end; i++) {
      let at = lines.from + i * alongFrom
      let place = lines.to + i * alongTo
      let before = place - alongTo
      for (let line = 0; line < count; line++, at += acrossFrom, place += acrossTo, before += acrossTo) {
        to[place] = to[before]! + from[at]!
      }
    }
  },
}

export const float64Sums: Sums<Float64Array> = {
  along(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    let line = 0
    for (; line + 4 <= count; line += 4) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      const before = place - alongTo
      let a = begin === 0 ? -0 : to[before]!
      let b = begin === 0 ? -0 : to[before + acrossTo]!
      let c = begin === 0 ? -0 : to[before + 2 * acrossTo]!
      let d = begin === 0 ? -0 : to[before + 3 * acrossTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        a += from[at]!
        b += from[at + acrossFrom]!
        c += from[at + 2 * acrossFrom]!
        d += from[at + 3 * acrossFrom]!
        to[place] = a
        to[place + acrossTo] = b
        to[place + 2 * acrossTo] = c
        to[place + 3 * acrossTo] = d
      }
    }
    for (; line < count; line++) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      let sum = begin === 0 ? -0 : to[place - alongTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        sum += from[at]!
        to[place] = sum
      }
    }
  },
  across(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    if (begin === 0) begun(from, to, lines)
    for (let i = Math.max(1, begin); i < end; i++) {
      let at = lines.from + i * alongFrom
      let place = lines.to + i * alongTo
      let before = place - alongTo
      for (let line = 0; line < count; line++, at += acrossFrom, place += acrossTo, before += acrossTo) {
        to[place] = to[before]! + from[at]!
      }
    }
  },
}

export const int32Sums: Sums<Int32Array> = {
  along(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    for (let line = 0; line < count; line++) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      let sum = begin === 0 ? 0 : to[place - alongTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        sum = (sum + from[at]!) | 0
        to[place] = sum
      }
    }
  },
  across(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    if (begin === 0) begun(from, to, lines)
    for (let i = Math.max(1, begin); i < end; i++) {
      let at = lines.from + i * alongFrom
      let place = lines.to + i * alongTo
      let before = place - alongTo
      for (let line = 0; line < count; line++, at += acrossFrom, place += acrossTo, before += acrossTo) {
        to[place] = (to[before]! + from[at]!) | 0
      }
    }
  },
}

export const int64Sums: Sums<BigInt64Array> = {
  along(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    for (let line = 0; line < count; line++) {
      let at = lines.from + line * acrossFrom + begin * alongFrom
      let place = lines.to + line * acrossTo + begin * alongTo
      let sum = begin === 0 ? 0n : to[place - alongTo]!
      for (let i = begin; i < end; i++, at += alongFrom, place += alongTo) {
        sum = BigInt.asIntN(64, sum + from[at]!)
        to[place] = sum
      }
    }
  },
  across(from, to, lines, begin, end) {
    const { alongFrom, alongTo, acrossFrom, acrossTo, count } = lines
    if (begin === 0) begun(from, to, lines)
    for (let i = Math.max(1, begin); i < end; i++) {
      let at = lines.from + i * alongFrom
      let place = lines.to + i * alongTo
      let before = place - alongTo
      for (let line = 0; line < count; line++, at += acrossFrom, place += acrossTo, before += acrossTo) {
        to[place] = BigInt.asIntN(64, to[before]! + from[at]!)
      }
    }
  },
}
