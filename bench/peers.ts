// Who is measured beside bcast: what each is called, which process speaks for it, and how many threads it can use.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newerNode, type PythonPackage, packageVersion, preparePython, python } from './install.ts'
import { type Own, TITLES } from './own.ts'
import type { Command } from './process.ts'

export interface PeerKind {
  readonly id: string
  readonly title: string
  /** Uses more than one thread when told to. */
  readonly threaded: boolean
  /** Starts anew for each workload: cheap to start, and one workload cannot disturb the next. */
  readonly restarts: boolean
}

export interface ReadyPeer extends PeerKind {
  readonly version: string
  command(threads: number): Command
}

export interface AbsentPeer {
  readonly id: string
  readonly title: string
  readonly reason: string
}

type Prepared = { readonly version: string; command(threads: number): Command } | { readonly reason: string }

interface Candidate extends PeerKind {
  prepare(): Prepared
}

const compiled = (name: string): string => fileURLToPath(new URL(`dist/peers/node/${name}.js`, import.meta.url))
const scripts = fileURLToPath(new URL('peers/python/', import.meta.url))

const node = (id: string, title: string, threaded: boolean, prepare: () => Prepared): Candidate => ({
  id,
  title,
  threaded,
  restarts: true,
  prepare,
})

const onThisNode = (script: string, version: string) => (): Prepared => ({
  version,
  command: (threads) => ({ file: process.execPath, args: [compiled(script), String(threads)] }),
})

const isNewEnough = Number(process.versions.node.split('.')[0]) >= 22

/** For packages that ask for a newer Node than this one may be. */
const onNewerNode = (script: string, name: string) => (): Prepared => {
  const file = existsSync(newerNode) ? newerNode : isNewEnough ? process.execPath : undefined
  if (file === undefined) return { reason: `needs Node 22 or newer; this is ${process.version}` }
  return { version: packageVersion(name) ?? 'unknown', command: () => ({ file, args: [compiled(script)] }) }
}

const fromPip = (id: string, title: string, threaded: boolean, wanted: PythonPackage): Candidate => ({
  id,
  title,
  threaded,
  restarts: false,
  prepare() {
    const prepared = preparePython(wanted)
    if ('reason' in prepared) return prepared
    return {
      version: prepared.version,
      command: (threads) => ({
        file: python,
        args: ['-W', 'ignore', join(scripts, `${id}_peer.py`), String(threads)],
        env: {
          OMP_NUM_THREADS: String(threads),
          OPENBLAS_NUM_THREADS: String(threads),
          NUMEXPR_MAX_THREADS: String(threads),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      }),
    }
  },
})

const candidates: readonly Candidate[] = [
  node('loop', 'plain loop', false, onThisNode('loop', process.version)),
  node('tfjs', 'tfjs-wasm', false, () =>
    onThisNode('tfjs', packageVersion('@tensorflow/tfjs-backend-wasm') ?? 'unknown')(),
  ),
  node('onnxruntime-node', 'onnxruntime-node', true, () =>
    onThisNode('onnxruntime', packageVersion('onnxruntime-node') ?? 'unknown')(),
  ),
  node('jax-js', 'jax-js', false, onNewerNode('jax-js', '@jax-js/jax')),
  node('numpy-ts', 'numpy-ts', false, onNewerNode('numpy-ts', 'numpy-ts')),
  // NumPy's matrix product alone uses threads.
  fromPip('numpy', 'NumPy', true, { module: 'numpy', requirement: 'numpy==2.4.6' }),
  fromPip('numexpr', 'numexpr', true, { module: 'numexpr', requirement: 'numexpr==2.14.2' }),
  fromPip('torch', 'PyTorch', true, {
    module: 'torch',
    requirement: 'torch==2.15.0',
    index: 'https://download.pytorch.org/whl/cpu',
    size: 'several GB where only the package with CUDA libraries can be had',
  }),
  fromPip('jax', 'XLA (JAX)', true, { module: 'jax', requirement: 'jax==0.10.2' }),
  fromPip('onnxruntime', 'onnxruntime (Python)', true, { module: 'onnxruntime', requirement: 'onnxruntime==1.30.0' }),
]

export const peerIds: readonly string[] = candidates.map(({ id }) => id)

const own = (id: Own, version: string, ...rest: readonly string[]): ReadyPeer => ({
  id,
  title: TITLES[id],
  threaded: true,
  restarts: true,
  version,
  command: (threads) => ({ file: process.execPath, args: [compiled('bcast'), String(threads), ...rest] }),
})

/** bcast in the same terms as its peers. */
export const bcast: ReadyPeer = own('bcast', '')

/** bcast with machine code; where there is none, what the package says of it. */
export function prepareNative(): ReadyPeer | AbsentPeer {
  const { stdout, stderr, error } = spawnSync(process.execPath, [compiled('engine')], { encoding: 'utf8' })
  const engine = stdout?.trim() ?? ''
  if (engine !== '' && engine !== 'WebAssembly') return own('native', engine, 'native')
  const said = stderr?.split('\n').find((line) => /@bcast\/native: |Error/.test(line))
  return { id: 'native', title: TITLES.native, reason: said ?? error?.message ?? 'it does not say why' }
}

/** Installs and finds the peers that are asked for. The plain loop always takes part: it is the reference. */
export function preparePeers(ids: readonly string[]): { ready: ReadyPeer[]; absent: AbsentPeer[] } {
  const ready: ReadyPeer[] = []
  const absent: AbsentPeer[] = []
  for (const candidate of candidates) {
    const { id, title } = candidate
    if (id !== 'loop' && !ids.includes(id)) {
      absent.push({ id, title, reason: 'not asked for' })
      continue
    }
    const prepared = candidate.prepare()
    if ('reason' in prepared) absent.push({ id, title, reason: prepared.reason })
    else ready.push({ ...candidate, ...prepared })
  }
  return { ready, absent }
}
