// Lines within a width: where they break, what stays whole, and how wide a stream is.
import { explain } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { banded } from '../../src/terminal/bands.ts'
import { shownOn } from '../../src/terminal/shown.ts'
import { widthOf } from '../../src/terminal/width.ts'
import { wrapped } from '../../src/terminal/wrap.ts'

describe('a line', () => {
  it('that fits is left alone', () => {
    expect(wrapped('a line', 6)).toEqual(['a line'])
  })

  it('goes on below, further to the right', () => {
    expect(wrapped('  fix: Unsqueeze the bias before it is added', 26)).toEqual([
      '  fix: Unsqueeze the bias',
      '      before it is added',
    ])
  })

  it('breaks behind commas and signs where it has no space', () => {
    expect(wrapped('(batch,channels,height*width)', 12)).toEqual([
      '(batch,',
      '    channels,',
      '    height*',
      '    width)',
    ])
  })

  it('keeps names whole, those with spaces and quotes too, and lets what is longer stick out', () => {
    expect(wrapped('node 7 "a name, of \\"many\\" words" (Add) fails', 20)).toEqual([
      'node 7',
      '    "a name, of \\"many\\" words"',
      '    (Add) fails',
    ])
  })

  it('with columns is left as it is, for they would mean nothing below', () => {
    const line = `  A   2   3   4   ${'x'.repeat(50)}`
    expect(wrapped(line, 20)).toEqual([line])
  })

  it('counts columns of a terminal', () => {
    expect(wrapped('漢字 漢字 漢字', 9)).toEqual(['漢字 漢字', '    漢字'])
  })

  it('loses nothing, and is no wider than it must be', () => {
    const word = fc.stringMatching(/^[a-z(,*"]{1,12}$/)
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 24, max: 80 }), (words, width) => {
        const line = words.join(' ')
        const lines = wrapped(line, width)
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
        const longest = Math.max(0, ...lines.map((each) => each.trim().length))
        if (lines.length > 1 && !line.includes('"')) expect(longest).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('a picture', () => {
  const text = explain([
    ['frames', 'channels', 'height', 'width'],
    ['height', 1],
  ]).toString()
  const lines = text.split('\n')

  it('that is wider than the terminal has its axes in bands, whole sizes in each', () => {
    expect(banded(lines, 40).slice(2)).toEqual([
      '  axis        -4        -3      -2',
      '  A       frames  channels  height',
      '  B                         height',
      '  result  frames  channels  height',
      '',
      '  axis       -1',
      '  A       width',
      '  B           1*',
      '  result  width',
      '  (* stretched)',
    ])
  })

  it('that fits is left alone, and so is what is no picture', () => {
    expect(banded(lines, 43)).toEqual(lines)
    const table = ['axis of evil', `  A   2   ${'x'.repeat(80)}`]
    expect(banded(table, 40)).toEqual(table)
  })
})

describe('the width', () => {
  it('is what the terminal has, and COLUMNS overrules', () => {
    expect(widthOf({ isTTY: true, columns: 87 }, {})).toBe(87)
    expect(widthOf({ isTTY: true, columns: 87 }, { COLUMNS: '200' })).toBe(200)
    expect(widthOf({}, { COLUMNS: '60' })).toBe(60)
  })

  it('is one that people and grep can live with where there is no terminal', () => {
    expect(widthOf({}, {})).toBe(120)
    expect(widthOf({ columns: 20 }, { COLUMNS: 'many' })).toBe(120)
    expect(widthOf({ isTTY: true, columns: 0 }, {})).toBe(120)
  })

  it('is never that of a word', () => {
    expect(widthOf({ isTTY: true, columns: 12 }, {})).toBe(40)
  })
})

describe('a text', () => {
  it('is painted line by line as what it was', () => {
    const { COLUMNS: _, NO_COLOR: __, ...env } = process.env
    const before = process.env
    process.env = { ...env, FORCE_COLOR: '1' }
    try {
      const shown = shownOn({ isTTY: true, columns: 40 }, 'warning shadowed-name: input 0 hides "x" of graph.')
      const [first, second] = shown.split('\n')
      expect([first, second]).toEqual([
        '\u001b[33mwarning shadowed-name: input 0 hides "x"\u001b[39m',
        '\u001b[33m    of graph.\u001b[39m',
      ])
    } finally {
      process.env = before
    }
  })
})
