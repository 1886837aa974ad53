// What docs/workers.md gives to systemd, Docker and Kubernetes can be read by them, and calls bcast as it can be called.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { bcast } from '../support/program.ts'

const text = readFileSync(new URL('../../../../docs/workers.md', import.meta.url), 'utf8')

function block(language: string): string {
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
  expect(blocks).toHaveLength(1)
  return blocks[0]![1]!
}

interface Container {
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object; readonly app?: string }
    readonly template?: {
      readonly metadata?: { readonly labels: object }
      readonly spec: { readonly containers: readonly Container[] }
    }
  }
}

/** No host has this name, so that whatever is understood ends there. */
const NOWHERE = 'redis://queue.invalid:6379'

/** The words of a command, with the queue and the store out of reach. */
async function understood(words: readonly string[]): Promise<void> {
  const typed = words.map((word) => word.replace(/^\$\(QUEUE\)$|^redis:\/\/queue:6379$/, NOWHERE))
  expect(typed).toContain(NOWHERE)
  const { code, stderr } = await bcast(typed)
  expect(stderr).toMatch(/^bcast: redis:\/\/queue\.invalid:6379: (there is no host|the name of the host)/)
  expect(code).toBe(2)
}

describe('Kubernetes', () => {
  const documents = parseAllDocuments(block('yaml'))
  const manifests = documents.map((document) => document.toJS() as Manifest)

  it('reads every manifest', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'apps/v1 StatefulSet queue',
      'v1 Service queue',
      'apps/v1 Deployment bcast-worker',
      'batch/v1 Job normalise',
    ])
  })

  it('finds the pods of what selects them', () => {
    const selecting = manifests.filter(({ spec }) => spec.selector?.matchLabels !== undefined)
    expect(selecting).toHaveLength(2)
    for (const { spec } of selecting) expect(spec.template?.metadata?.labels).toEqual(spec.selector?.matchLabels)
  })

  it('calls bcast as it can be called', async () => {
    const containers = manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? [])
    const ours = containers.filter(({ image }) => image === 'bcast')
    expect(ours.map(({ name }) => name)).toEqual(['worker', 'eval'])
    for (const { args } of ours) await understood(args)
  })
})

it('systemd calls bcast as it can be called', async () => {
  const sections = block('ini').split(/^\[(\w+)\]$/m)
  expect(sections.filter((_, i) => i % 2 === 1)).toEqual(['Unit', 'Service', 'Install'])
  const settings = [...sections[4]!.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name!, value!] as const)
  expect(settings.map(([name]) => name)).toContain('Restart')
  const [program, ...words] = new Map(settings).get('ExecStart')!.split(' ')
  expect(program).toBe('bcast')
  await understood(words)
})

it('Docker calls bcast as it can be called', async () => {
  const lines = block('dockerfile').trim().split('\n')
  expect(lines[0]).toMatch(/^FROM node:\d+-slim$/)
  const json = (name: string): string[] =>
    JSON.parse(lines.find((line) => line.startsWith(`${name} `))!.slice(name.length))
  expect(json('ENTRYPOINT')).toEqual(['bcast'])
  await understood(json('CMD'))
})
