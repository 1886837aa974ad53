// Completion in real shells: what they offer for a line that is being typed.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { called } from '../support/called.ts'
import { bcast, typed, workplace } from '../support/program.ts'

const place = workplace()
afterAll(place.remove)

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

describe('bash', async () => {
  const { stdout: script } = await bcast(['completion', 'bash'])
  const file = path.join(place.folder, 'completion.bash')
  writeFileSync(file, script)

  /** What bash offers at the end of the words. */
  async function offered(...words: string[]): Promise<string[]> {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const { stdout } = await typed(
      `source ${file}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _bcast; printf '%s\\n' "\${COMPREPLY[@]}"`,
      place,
    )
    return stdout.split('\n').filter((line) => line !== '')
  }

  it('completes commands', async () => {
    expect(await offered('bcast', 'ex')).toContain('explain')
    expect(await offered('bcast', '')).toEqual(
      expect.arrayContaining(['explain', 'check', 'bench', 'completion', 'help']),
    )
    expect(await offered('bcast', 'help', 'ch')).toEqual(['check'])
  })

  it('completes the options of the command', async () => {
    expect(await offered('bcast', 'explain', '--r')).toEqual(['--rule'])
    expect(await offered('bcast', 'check', '--pro')).toEqual(['--profile'])
    expect(await offered('bcast', 'check', '--r')).toEqual([])
  })

  it('completes values that are one of a few words', async () => {
    expect(await offered('bcast', 'explain', '--rule', 'p')).toEqual(['pdpd', 'paddle'])
    expect(await offered('bcast', 'check', 'm.onnx', '--format', '')).toEqual(['text', 'json', 'sarif', 'md'])
    expect(await offered('bcast', 'check', '--profile', 'sonnx-s')).toEqual(['sonnx-strict'])
    expect(await offered('bcast', 'completion', 'z')).toEqual(['zsh'])
  })

  it('completes values behind =, which bash takes for a word of its own', async () => {
    expect(await offered('bcast', 'explain', '--rule', '=', 'p')).toEqual(['pdpd', 'paddle'])
    expect(await offered('bcast', 'check', '--format', '=')).toEqual(['text', 'json', 'sarif', 'md'])
    expect(await offered('bcast', 'explain', '--rule=pd')).toEqual(['--rule=pdpd'])
    expect(await offered('bcast', 'run', 'm.onnx', 'x', '=', 'im')).toEqual([])
  })

  it('offers files beside the names of profiles', async () => {
    for (const name of ['ours.json', 'our own.json']) writeFileSync(path.join(place.folder, name), '{}')
    expect(await offered('bcast', 'check', '--profile', 'o')).toEqual(['onnx', 'our own.json', 'ours.json'])
    expect(await offered('bcast', 'check', '--profile=ou')).toEqual(['--profile=our own.json', '--profile=ours.json'])
  })

  it('leaves files to the shell', async () => {
    expect(await offered('bcast', 'check', 'mod')).toEqual([])
    expect(await offered('bcast', 'check', '-o', '')).toEqual([])
    expect(script).toContain('complete -o default -F _bcast bcast')
  })
})

describe('zsh', () => {
  it('loads the script and knows the function', needs('zsh', has('zsh')), async () => {
    const line =
      'autoload -U compinit; compinit -u; source <(bcast completion zsh); print $_comps[bcast]; functions _bcast'
    const { code, stdout } = await typed(`zsh -fc '${line}'`, place)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^_bcast\n/)
  })

  /** What zsh lists at the end of a line, typed into a terminal. */
  async function listed(line: string): Promise<string> {
    // The line editor says when it has the terminal, which would take ^D for the end of the input, and a key behind ^D
    // when the list is there: nothing waits for a time.
    const setup = [
      'autoload -U compinit; compinit -u -D; source <(bcast completion zsh)',
      `zle-line-init() { print -n re''ady }; zle -N zle-line-init`,
      `done-listing() { print -n do''ne }; zle -N done-listing; bindkey '^X' done-listing`,
    ]
    writeFileSync(path.join(place.folder, 'setup.zsh'), setup.join('\n'))
    const script = [
      'zmodload zsh/zpty',
      'zpty shell zsh -f -i',
      'zpty -w shell "source setup.zsh"',
      "zpty -r shell seen '*ready'",
      `zpty -w -n shell $'${line}\\C-d\\C-x'`,
      "zpty -r shell seen '*done'",
      'print -rn -- "$seen"',
      'zpty -d shell',
    ]
    writeFileSync(path.join(place.folder, 'listed.zsh'), script.join('\n'))
    return (await typed('TERM=dumb zsh -f listed.zsh', place)).stdout
  }

  it('offers commands, and files beside the names of profiles', needs('zsh', has('zsh')), async () => {
    writeFileSync(path.join(place.folder, 'ours.json'), '{}')
    expect(await listed('bcast he')).toMatch(/help +-- show help for a command/)
    expect(await listed('bcast check --profile ')).toMatch(/(?=.*\bours\.json)(?=.*\bsonnx-strict)/s)
  })
})

describe('fish', () => {
  it('completes commands, options and values', needs('fish', has('fish')), async () => {
    writeFileSync(path.join(place.folder, 'ours.json'), '{}')
    const lines = ['ex', 'explain --ru', 'explain --rule pd', 'he', 'help ch', 'check --profile o']
    const completed = lines.map((line) => `echo ---; complete -C "bcast ${line}"`).join('; ')
    const { stdout } = await typed(`fish -c 'bcast completion fish | source; ${completed}'`, place)
    const [, ...offered] = stdout.split('---\n')
    expect(offered).toEqual([
      expect.stringMatching(/^explain\t/),
      expect.stringMatching(/^--rule\t/),
      expect.stringMatching(/^pdpd/),
      expect.stringMatching(/^help\t/),
      expect.stringMatching(/^check/),
      expect.stringMatching(/^onnx\b.*^ours\.json/ms),
    ])
  })
})

it('makes scripts of the same words for every shell', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout: script } = await called(['completion', shell])
    for (const word of ['explain', 'check', 'rule', 'sonnx', 'profile', 'sarif']) expect(script).toContain(word)
  }
})

it('refuses another shell with a suggestion', async () => {
  const { code, stderr } = await called(['completion', 'fihs'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Did you mean fish?') })
})
