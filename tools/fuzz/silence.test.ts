import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { needs } from '../../testing/needs.ts'
import { Silence } from './silence.ts'

async function withProcess(code: string, use: (child: ChildProcess) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ['-e', `console.log(); ${code}`], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    await once(child.stdout!, 'data')
    await use(child)
  } finally {
    child.kill('SIGKILL')
  }
}

const LONG = 600_000

it('is a hang once the process has computed for long', () =>
  withProcess('for (;;);', async ({ pid }) => {
    const silence = new Silence(pid!, { computing: 200, waiting: LONG })
    let hang: string | undefined
    while (hang === undefined) {
      await setTimeout(20)
      hang = silence.hang()
    }
    expect(hang).toMatch(/^computed /)
    silence.broken()
    expect(silence.hang()).toBeUndefined()
  }))

it('is none while the process gets no processor, up to a limit', needs('linux', existsSync('/proc/self/stat')), () =>
  withProcess('for (;;);', async (child) => {
    child.kill('SIGSTOP')
    await setTimeout(50)
    const [patient, strict] = [LONG, 300].map((waiting) => new Silence(child.pid!, { computing: 200, waiting }))
    await setTimeout(400)
    expect(patient!.hang()).toBeUndefined()
    expect(strict!.hang()).toMatch(/^waited /)
  }),
)
