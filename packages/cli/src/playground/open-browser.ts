// Opens an address in the browser of whoever sits here, as each system does it.
import { spawn } from 'node:child_process'

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // What `start` takes first is a title.
  win32: ['cmd', '/c', 'start', '""'],
}

/** Calls `failed` where that cannot be done; the browser goes on when this process ends. */
export function openBrowser(address: string, failed: () => void): void {
  const [command, ...args] = commands[process.platform] ?? ['xdg-open']
  const child = spawn(command!, [...args, address], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  child.on('error', failed)
  child.on('exit', (code) => {
    if (code !== 0) failed()
  })
  child.unref()
}
