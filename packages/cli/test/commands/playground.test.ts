// `bcast playground`: its address on stdout, the page there, and a clean end.
import { type ChildProcess, spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { called } from '../support/called.ts'
import { program } from '../support/program.ts'

interface Running {
  readonly address: string
  readonly end: (signal: NodeJS.Signals) => Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Waits until stderr has it. */
  readonly said: (text: string) => Promise<void>
}

/** The program with its address, once it has one. */
function started(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [program, 'playground', ...args], { env })
  let [stdout, stderr] = ['', '']
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`it ended: ${stderr}`)))
    child.stdout!.on('data', (chunk) => {
      stdout += chunk
      if (!stdout.includes('\n')) return
      resolve({
        address: stdout.trim(),
        end: async (signal) => {
          child.kill(signal)
          return { code: await ended, stdout, stderr }
        },
        said: async (text) => {
          while (!stderr.includes(text)) await new Promise((wait) => setTimeout(wait, 20))
        },
      })
    })
  })
}

describe('playground', needs('unix', process.platform !== 'win32'), () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('serves the page until %s', async (signal) => {
    const { address, end } = await started(['--no-open'])
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    const response = await fetch(address)
    expect(await response.text()).toContain('<title>bcast</title>')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval'")
    expect(await end(signal)).toEqual({ code: 0, stdout: `${address}\n`, stderr: 'Ctrl-C ends it.\n' })
    await expect(fetch(address)).rejects.toThrow()
  })

  it('takes a port, and says so when it is taken', async () => {
    const { address, end } = await started(['--no-open'])
    const { port } = new URL(address)
    const { code, stderr } = await called(['playground', '--no-open', '--port', port])
    expect([code, stderr]).toEqual([2, `bcast: Port ${port} is taken. Without --port a free one is found.\n`])
    await end('SIGINT')
  })

  it('goes on where no browser can be opened', async () => {
    const { address, said, end } = await started([], { ...process.env, PATH: '' })
    await said('No browser could be opened; open the address yourself.')
    expect((await fetch(address)).status).toBe(200)
    expect((await end('SIGINT')).code).toBe(0)
  })

  it.each(['x', '-1', '70000', '1.5'])('refuses port %s', async (port) => {
    const { code, stderr } = await called(['playground', '--no-open', `--port=${port}`])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--port is ${JSON.stringify(port)}; it is a number`)])
  })
})
