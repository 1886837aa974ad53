// What is missing skips a test with a reason, and fails where it could have been there.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { needs } from './needs.ts'

afterEach(() => vi.unstubAllEnvs())

describe('a thing that a test needs', () => {
  it('changes nothing where it is', () => {
    for (const without of [undefined, '', 'zsh']) {
      vi.stubEnv('BCAST_WITHOUT', without)
      expect(needs('zsh', true)).toEqual({})
    }
  })

  it('skips the test with its reason where it is missing', () => {
    vi.stubEnv('BCAST_WITHOUT', undefined)
    expect(needs('zsh', false)).toEqual({ skip: true, meta: { missing: 'zsh is not installed' } })
  })

  it('may be missing only by name where that is asked for', () => {
    vi.stubEnv('BCAST_WITHOUT', 'fish zsh')
    expect(needs('zsh', false)).toMatchObject({ skip: true })
    expect(() => needs('chromium', false)).toThrow('BCAST_WITHOUT does not name chromium')
    vi.stubEnv('BCAST_WITHOUT', '')
    expect(() => needs('zsh', false)).toThrow('a test may not be skipped here: zsh is not installed')
  })
})
