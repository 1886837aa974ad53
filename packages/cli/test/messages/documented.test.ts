// What documents and schemas say of frameworks is the list that the reader has.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explainCommand } from '../../src/commands/explain.ts'
import { frameworks, otherNames } from '../../src/messages/form.ts'

const textOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

describe('the list of frameworks', () => {
  const names = Object.values(frameworks)

  it('is the one of the README', () => {
    const text = textOf('packages/cli/README.md').replace(/\s+/g, ' ')
    expect(text).toContain(`of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`)
    const others = Object.keys(otherNames).map((name) => `\`${name}\``)
    expect(text).toContain(`also as ${others.slice(0, -1).join(', ')} or ${others.at(-1)}.`)
    expect(textOf('README.md')).toContain(`an error message of ${names.length} frameworks`)
  })

  it('is the one of the schema', () => {
    const schema = JSON.parse(textOf('packages/bcast/schema/explain.schema.json'))
    const { framework } = schema.definitions.messages.properties.messages.items.properties
    expect(framework.enum).toEqual(Object.keys(frameworks))
  })

  it('is the one of the help', () => {
    const help = explainCommand().helpInformation().replace(/\s+/g, ' ')
    for (const name of Object.keys(frameworks)) expect(help).toMatch(new RegExp(String.raw`\b${name}\b`))
  })
})
