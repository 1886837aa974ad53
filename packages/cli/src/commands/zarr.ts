// `bcast zarr info x.zarr`: what an array or a group is and how much of it is stored, without reading an element.
import { Argument, Command } from 'commander'
import { formatBytes } from '../arguments/memory-size.ts'
import { suggestion } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import { examplesText } from '../help/examples.ts'
import { columns } from '../terminal/columns.ts'
import { visible } from '../terminal/visible.ts'
import { type ArrayInfo, type GroupInfo, infoOf, type UnreadInfo } from '../zarr/info.ts'
import type { ByteCodec } from '../zarr/metadata/array-metadata.ts'
import { zarrPlace } from '../zarr/place.ts'

const actions = ['info'] as const

const examples = [
  { line: 'bcast zarr info x.zarr', shows: 'shape, type, chunks, codecs, stored bytes' },
  { line: 'bcast zarr info stats.zarr', shows: 'the arrays of a group' },
  { line: 'bcast zarr info stats.zarr:mean --json', shows: 'one of them, for programs' },
]

const HELP = `
Places: x.zarr, x.zarr:group/array, x.zarr.zip, s3://bucket/x.zarr (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
AWS_REGION, AWS_ENDPOINT_URL), https://host/x.zarr, any folder that holds one; behind another name, x:zarr.
`

const shapeText = (shape: readonly number[]): string => `(${shape.join(',')})`

function codecText(codec: ByteCodec): string {
  switch (codec.name) {
    case 'blosc':
      return `blosc (${codec.cname} ${codec.clevel}, ${codec.shuffle})`
    case 'lz4':
    case 'crc32c':
      return codec.name
    default:
      return `${codec.name} ${codec.level}`
  }
}

function codecsText({ codecs, shape }: ArrayInfo): string {
  const isTurned = codecs.order.some((axis, i) => axis !== i)
  const parts = [
    ...(isTurned && shape.length > 1 ? [`axes ${codecs.order.join(',')}`] : []),
    ...(codecs.littleEndian ? [] : ['big-endian']),
    ...codecs.compressors.map(codecText),
  ]
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function storedText({ stored, rawBytes }: ArrayInfo): string {
  if (stored === undefined) return `unknown, of ${formatBytes(rawBytes)}`
  return `${formatBytes(stored.bytes)} of ${formatBytes(rawBytes)}`
}

/** How many of the objects there are; the others are the fill value. */
function presentText({ stored, objects, shards }: ArrayInfo): string {
  const what = shards === undefined ? 'chunks' : 'shards'
  if (stored === undefined) return `${objects} ${what}; a web server does not say which are stored`
  const missing = objects - stored.objects
  return `${stored.objects} of ${objects} ${what}${missing === 0 ? '' : `, ${missing} missing, which are the fill value`}`
}

function arrayText(label: string, array: ArrayInfo): string {
  const rows: [name: string, value: string][] = [
    ['shape', shapeText(array.shape)],
    ['type', array.dtype],
    ['chunks', shapeText(array.chunks)],
    ...(array.shards === undefined ? [] : [['shards', shapeText(array.shards)] as [string, string]]),
    ['codecs', codecsText(array)],
    ['fill', JSON.stringify(array.fill) ?? 'none'],
    ['stored', `${storedText(array)}, ${presentText(array)}`],
  ]
  return [
    `${label}: an array of Zarr ${array.version}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(8)}${value}`),
  ].join('\n')
}

/** Cells below each other; columns that are empty are left out. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => columns(row[column]!)))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - columns(cell)))
      .filter((_, column) => widths[column]! > 0)
      .join('  ')
      .trimEnd(),
  )
}

function groupText(label: string, { path, version, arrays }: GroupInfo): string {
  const inside = ({ path: place }: ArrayInfo | UnreadInfo): string =>
    path === '' ? place : place.slice(path.length + 1)
  const known = arrays.filter((array) => array.kind === 'array')
  const lines = aligned(
    known.map((array) => [
      `  ${inside(array)}`,
      array.dtype,
      shapeText(array.shape),
      `chunks ${shapeText(array.chunks)}`,
      array.shards === undefined ? '' : `shards ${shapeText(array.shards)}`,
      codecsText(array),
      storedText(array),
    ]),
  )
  const unread = arrays
    .filter((array) => array.kind === 'unread')
    .map((array) => `  ${inside(array)}: ${array.problem}`)
  const count = `${arrays.length} array${arrays.length === 1 ? '' : 's'}`
  return [`${label}: a group of Zarr ${version} with ${count}`, ...lines, ...unread].join('\n')
}

/** One object a line is enough for programs; undefined fields are left out. */
const json = (label: string, info: ArrayInfo | GroupInfo): string =>
  JSON.stringify({ place: label, ...info }, undefined, 2)

export function zarrCommand(): Command {
  return new Command('zarr')
    .description('look into Zarr arrays and groups, in folders, archives and object stores')
    .addArgument(
      new Argument('<action>', 'what to do: info').choices(actions).argParser((text: string) => {
        if (actions.includes(text as 'info')) return text
        throw new UsageError(`${JSON.stringify(text)} is nothing that bcast zarr does. ${suggestion(text, actions)}`)
      }),
    )
    .argument('<place>', 'an array or a group, such as x.zarr or x.zarr:group/array')
    .option('--json', 'print JSON')
    .addHelpText('after', `${HELP}${examplesText(examples)}`)
    .action(async (_action: string, spec: string, { json: isJson }: { readonly json?: boolean }) => {
      const place = zarrPlace(spec) ?? { label: spec, store: spec, path: '' }
      const info = await infoOf(place)
      const text = info.kind === 'array' ? arrayText : groupText
      process.stdout.write(`${isJson ? json(spec, info) : visible(text(spec, info as never))}\n`)
    })
}
