// Results appear whole or not at all, whatever happens to the process that writes them.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { needs } from '../../../../testing/needs.ts'
import { makeProgram } from '../../../../testing/program.ts'
import { openSink, openSource } from '../../src/files/open.ts'
import { put, readFile, temporaryFolder, writeFile } from './made.ts'

const at = temporaryFolder()
const { file: writer, remove } = await makeProgram('test/files/writer.ts')
afterAll(remove)
const array = { dtype: 'float32', shape: [2, 2], elements: Float32Array.of(1, 2, 3, 4) } as const

function folder(name: string): (file: string) => string {
  mkdirSync(at(name))
  return (file) => path.join(at(name), file)
}

const partsIn = (file: string): string[] =>
  readdirSync(path.dirname(file)).filter((name) => name.includes('bcast-part'))

/** A writer that has begun; resolves with how it ended. */
async function begun(file: string): Promise<{ kill(signal: NodeJS.Signals): Promise<NodeJS.Signals | number | null> }> {
  const child = spawn(process.execPath, [writer, file, '100000', '100'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code))
  })
  await new Promise((resolve) => child.stderr.once('data', resolve))
  return {
    kill: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

describe('a file', () => {
  it('appears when it is finished, and not before', async () => {
    const inside = folder('appears')
    const sink = await openSink(inside('y.npy'), array)
    await sink.write(array.elements)
    expect(existsSync(inside('y.npy'))).toBe(false)
    expect(partsIn(inside('y.npy'))).toHaveLength(1)
    await sink.finish()
    expect(readdirSync(at('appears'))).toEqual(['y.npy'])
    await sink.abort()
    expect(await readFile(inside('y.npy'))).toEqual(array.elements)
  })

  it('stays as it was when writing is given up, or too little or too much is written', async () => {
    const inside = folder('stays')
    put(inside('y.npy'), 'previous')
    for (const use of [
      async () => (await openSink(inside('y.npy'), array)).abort(),
      async () => (await openSink(inside('y.npy'), array)).finish(),
      async () => (await openSink(inside('y.npy'), array)).write(new Float32Array(5)),
    ]) {
      await use().catch((error) => expect(String(error)).toMatch(/[05] elements written where 4 belong/))
      expect(readdirSync(at('stays'))).toEqual(['y.npy'])
      expect(readFileSync(inside('y.npy'), 'utf8')).toBe('previous')
    }
  })

  it('may be one that is being read', async () => {
    const file = put(at('self.npy'), npyBytes(array))
    const source = await openSource(file)
    const sink = await openSink(file, array)
    const element = new Float32Array(1)
    for (let i = 3; i >= 0; i--) {
      await source.read(i, element)
      await sink.write(element)
    }
    await sink.finish()
    await source.read(0, element)
    expect(element[0]).toBe(1)
    await source.close()
    expect(await readFile(file)).toEqual(Float32Array.of(4, 3, 2, 1))
  })

  it('keeps links, permissions and protection', async () => {
    const inside = folder('keeps')
    put(inside('real.npy'), 'previous')
    chmodSync(inside('real.npy'), 0o640)
    symlinkSync('real.npy', inside('link.npy'))
    symlinkSync('fresh.npy', inside('dangling.npy'))
    for (const name of ['link.npy', 'dangling.npy']) await writeFile(inside(name), array)
    expect(lstatSync(inside('link.npy')).isSymbolicLink()).toBe(true)
    expect(statSync(inside('real.npy')).mode & 0o777).toBe(0o640)
    expect(await readFile(inside('real.npy'))).toEqual(array.elements)
    expect(await readFile(inside('fresh.npy'))).toEqual(array.elements)
    symlinkSync('circle.npy', inside('circle.npy'))
    await expect(openSink(inside('circle.npy'), array)).rejects.toThrow('its symbolic links lead in a circle.')
  })

  it('that may not be written is not replaced', () => {
    const inside = folder('protected')
    chmodSync(put(inside('y.npy'), 'previous'), 0o440)
    // The superuser may write everything.
    const user = process.getuid!() === 0 ? ['65534'] : []
    chmodSync(at('.'), 0o755)
    const written = spawnSync(process.execPath, [writer, inside('y.npy'), '10', '0', ...user], { encoding: 'utf8' })
    expect({ status: written.status, stderr: written.stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(`${inside('y.npy')}: it is there and may not be written.`),
    })
    expect(readFileSync(inside('y.npy'), 'utf8')).toBe('previous')
  })

  it.each([
    ['none/y.npy', 'there is no folder'],
    ['.', 'the name does not say a format. Use .npy, .npz,'],
    ['y.npi', 'the name does not say a format.'],
    ['y.npy:text', '"text" is no format.'],
    ['y.npz:', 'the name of the member is empty.'],
    ['y.npz:.npy', 'the name of the member is empty.'],
    ['y.npz:a/../b', 'readers refuse an archive whose member has such a name'],
    ['y:npz:/b', 'readers refuse an archive whose member has such a name'],
    ['y.npz:a\\b', 'readers refuse an archive whose member has such a name'],
  ])('needs a place and a format: %s', async (name, reason) => {
    await expect(openSink(`${at('.')}/${name}`, array)).rejects.toThrow(reason)
    expect(existsSync(at('y.npz'))).toBe(false)
  })

  it('has no name for a member that is longer than archives have room for', async () => {
    await expect(openSink(`${at('y.npz')}:${'é'.repeat(40_000)}`, array)).rejects.toThrow('or very long.')
  })

  it('takes a format behind any name', async () => {
    await writeFile(`${at('any')}:npy`, array)
    expect(await readFile(at('any'))).toEqual(array.elements)
    await writeFile(`${at('any.zip')}:npz:a/x`, array)
    expect(await readFile(`${at('any.zip')}:npz:a/x`)).toEqual(array.elements)
    await writeFile(`${at('any.txt')}:json`, array)
    expect(JSON.parse(readFileSync(at('any.txt'), 'utf8'))).toEqual({
      dtype: 'float32',
      shape: [2, 2],
      data: [
        [1, 2],
        [3, 4],
      ],
    })
  })
})

describe('a process that does not finish', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves the previous file and nothing beside it on %s',
    async (signal) => {
      const inside = folder(signal)
      put(inside('y.npy'), 'previous')
      const running = await begun(inside('y.npy'))
      expect(partsIn(inside('y.npy'))).toHaveLength(1)
      expect(await running.kill(signal)).toBe(signal)
      expect(readdirSync(at(signal))).toEqual(['y.npy'])
      expect(readFileSync(inside('y.npy'), 'utf8')).toBe('previous')
    },
  )

  it('leaves a part when it is killed, which a later run clears; never one of a living process', async () => {
    const inside = folder('killed')
    const [dead, alive] = [await begun(inside('dead.npy')), await begun(inside('alive.npy'))]
    expect(await dead.kill('SIGKILL')).toBe('SIGKILL')
    // Parts of other machines are left alone while they are young.
    put(inside('.other.00000000.1.000000000000.bcast-part'), '')
    put(inside('.old.00000000.1.000000000000.bcast-part'), '')
    utimesSync(inside('.old.00000000.1.000000000000.bcast-part'), new Date(0), new Date(0))
    expect(partsIn(inside('y.npy'))).toHaveLength(4)
    await writeFile(inside('y.npy'), array)
    expect(partsIn(inside('y.npy')).map((name) => name.split('.')[1])).toEqual(['alive', 'other'])
    await alive.kill('SIGTERM')
    expect(existsSync(inside('dead.npy'))).toBe(false)
  })

  it('says that the disk is full, and leaves the previous file', () => {
    const inside = folder('full')
    put(inside('y.npy'), 'previous')
    const command = `ulimit -f 40; exec "$0" "$@"`
    const { stderr, status } = spawnSync(
      'sh',
      ['-c', command, process.execPath, writer, inside('y.npy'), '100000', '0'],
      {
        encoding: 'utf8',
      },
    )
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `begun\n${inside('y.npy')}: the file would be larger than the system allows.\n`,
    })
    expect(readdirSync(at('full'))).toEqual(['y.npy'])
    expect(readFileSync(inside('y.npy'), 'utf8')).toBe('previous')
  })

  it('says so about a device, too', needs('linux', existsSync('/dev/full')), async () => {
    await expect(writeFile('/dev/full:npy', array)).rejects.toThrow('/dev/full:npy: the disk is full.')
  })
})

it('refuses lists that it could not read again', async () => {
  const description = { dtype: 'int8', shape: Array<number>(65).fill(1), order: 'row-major' } as const
  await expect(openSink(at('deep.json'), description)).rejects.toThrow(
    'a result of rank 65 would nest lists more than 64 deep. Write it as .npy.',
  )
  expect(existsSync(at('deep.json'))).toBe(false)
})

describe('pipes and devices', () => {
  it('are written as elements come', async () => {
    await writeFile('/dev/null', array)
    execFileSync('mkfifo', [at('pipe')])
    const reading = readFile(at('pipe'))
    await writeFile(`${at('pipe')}:npy`, array)
    expect(await reading).toEqual(array.elements)
    await Promise.all([
      expect(openSink(`${at('pipe')}:npz`, array)).rejects.toThrow('an archive cannot be written to a pipe.'),
      expect(openSource(`${at('pipe')}:npy`)).rejects.toThrow('it is empty.'),
    ])
  })

  it('that are read say how many bytes are missing or too many', async () => {
    for (const [bytes, reason] of [
      [npyBytes(array).subarray(0, -3), 'it ends 3 bytes before its last element'],
      [Buffer.concat([npyBytes(array), Buffer.alloc(9)]), '9 bytes follow the last element'],
    ] as const) {
      put(at('bytes'), bytes)
      const cat = spawn('sh', ['-c', `cat '${at('bytes')}' > '${at('pipe')}'`])
      await expect(readFile(at('pipe'))).rejects.toThrow(reason)
      cat.kill()
    }
  })
})
