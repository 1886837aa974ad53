// What is missing skips a test with a reason, and fails where it could have been there.
import { afterEach, describe, expect, it } from 'vitest'
import { needs } from './needs.ts'

const { env } = process
afterEach(() => {
  process.env = env
})

/** Says what the machine cannot have; nobody has asked where it is undefined. */
function say(without: string | undefined): void {
  const { BCAST_WITHOUT: _, ...others } = env
  process.env = without === undefined ? others : { ...others, BCAST_WITHOUT: without }
}

describe('a thing that a test needs', () => {
  it('changes nothing where it is', () => {
    for (const without of [undefined, '', 'zsh']) {
      say(without)
      expect(needs('zsh', true)).toEqual({})
    }
  })

  it('skips the test with its reason where it is missing', () => {
    say(undefined)
    expect(needs('zsh', false)).toEqual({ skip: true, meta: { missing: 'zsh is not installed' } })
  })

  it('may be missing only by name where that is asked for', () => {
    say('fish zsh')
    expect(needs('zsh', false)).toMatchObject({ skip: true })
    expect(() => needs('chromium', false)).toThrow('BCAST_WITHOUT does not name chromium')
    say('')
    expect(() => needs('zsh', false)).toThrow('a test may not be skipped here: zsh is not installed')
  })
})
