// What comments and commands of texts open in the playground.
import { describe, expect, it } from 'vitest'
import { writeMarkdown } from '../../docs/markdown.ts'
import { annotationIn, explainedBy, playgroundAddress } from '../../docs/playground.ts'

describe('comments', () => {
  it('say shapes, a rule and a picture', () => {
    const { state, picture } = annotationIn('<!-- playground text="2,3  3" rule=pdpd axis=1 picture=a/b.svg -->')!
    expect(state).toMatchObject({ text: '2,3  3', rule: { rule: 'pdpd', axis: 1 } })
    expect(picture).toBe('a/b.svg')
    expect(playgroundAddress(state)).toBe('../#text=2,3++3&rule=pdpd&axis=1')
  })

  it('are left alone where they are about something else', () => {
    expect(annotationIn('<!-- Written by `npm run bench` -->')).toBeUndefined()
  })

  it.each(['<!-- playground text="2" rule=nump -->', '<!-- playground colour=red -->', '<!-- playground 2,3 -->'])(
    '%s is refused',
    (comment) => {
      expect(() => annotationIn(comment)).toThrow(comment)
    },
  )
})

describe('commands', () => {
  it.each([
    ['npx bcast explain 2,3,4 2,4', '../#text=2,3,4++2,4'],
    ['bcast explain "()" 5 --rule unidirectional --onto B  # why', '../#text=%28%29++5&onto=1&rule=unidirectional'],
    ['bcast explain 2,3 2 --rule explicit --axes 0 --strict', '../#text=2,3++2&rule=explicit&axes=0&strict=1'],
    ['bcast explain --from auto "shapes (32,10) (32,)"', '../#text=shapes+%2832,10%29+%2832,%29'],
  ])('%s', (line, address) => {
    expect(playgroundAddress(explainedBy(line)!)).toBe(address)
  })

  it.each(['bcast explain --from auto - < traceback.txt', 'bcast check model.onnx', 'npm install bcast'])(
    '%s opens nothing',
    (line) => {
      expect(explainedBy(line)).toBeUndefined()
    },
  )
})

describe('texts', () => {
  it('have the link behind what a block prints', () => {
    const text = '# A\n\n<!-- playground text="2,3" -->\n```ts\n1\n```\n```text\n1\n```\n\nAfter.\n'
    const { html } = writeMarkdown('docs/a.md', text)
    expect(html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')).toBe('A 1 1 Open in the playground After. ')
  })

  it('have tables that can be stacked where there is no room', () => {
    const { html } = writeMarkdown('docs/a.md', '# A\n\n| a | b | |\n|---|--:|---|\n| 1 | 2 | 3 |\n')
    expect(html).toContain('<div class="table stacked"')
    expect(html).toContain('<th>a</th>\n<th class="number">b</th>\n<td></td>')
    expect(html).toContain('<td data-label="a">1</td>\n<td class="number" data-label="b">2</td>\n<td>3</td>')
  })

  it('may not hold HTML', () => {
    expect(() => writeMarkdown('docs/a.md', '# A\n\n<div onclick="x()">\n')).toThrow('HTML in a text')
  })
})
