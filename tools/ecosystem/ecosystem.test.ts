// What `npm run test:ecosystem` does with the recipes and with what pages tell, without building any: every recipe is on
// the page, and a warning too many, or too few, is seen.
import { describe, expect, it } from 'vitest'
import { recipes } from './bundlers.ts'
import { saidByBcast, table, wrongWarnings } from './check.ts'
import { headers, section } from './page.ts'

describe('docs/bundlers.md', () => {
  it.each(recipes)('says how to build: $name', ({ sections, packages, change = (command) => command }) => {
    const told = sections.map(section)
    const commands = told.flatMap((each) => each.commands)
    expect(commands.filter((command) => command.startsWith('npx '))).toHaveLength(1)
    // Every package that is named is pinned for the test.
    const named = commands.flatMap(
      (command) => /^npm install (?:--save-dev )?(.*)/.exec(command)?.[1]?.split(' ') ?? [],
    )
    expect(Object.keys(packages)).toEqual(expect.arrayContaining(named))
    expect(commands.map(change)).toHaveLength(commands.length)
  })

  it('has the headers', () => {
    expect(Object.keys(headers('isolated'))).toEqual(['Cross-Origin-Opener-Policy', 'Cross-Origin-Embedder-Policy'])
    expect(headers('policy')['Content-Security-Policy']).toContain("'wasm-unsafe-eval'")
    expect(() => section('Nothing')).toThrow('no section')
  })
})

describe('warnings', () => {
  it('are those that are wanted, once each', () => {
    expect(wrongWarnings([], [])).toBeUndefined()
    expect(wrongWarnings(['bcast: slow'], [/slow/])).toBeUndefined()
    expect(wrongWarnings(['bcast: slow', 'bcast: slow'], [/slow/])).toBe(
      'warned [bcast: slow | bcast: slow], not [/slow/]',
    )
    expect(wrongWarnings([], [/slow/])).toBe('warned [], not [/slow/]')
    expect(saidByBcast(['bcast: slow', 'React: other'])).toEqual(['bcast: slow'])
  })

  it('make a line that failed', () => {
    expect(table([{ what: 'Vite', where: 'page', seen: '3', wrong: 'gave 4' }])).toBe('FAILED  Vite  page  gave 4')
  })
})
