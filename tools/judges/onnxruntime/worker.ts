// The process in which onnxruntime answers. The package lies outside the repository: its folder is the argument.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { arrays } from '../../../testing/arrays.ts'
import { type Answer, bytesOf, type CaseDType, type ComputeCase, encode, type TensorData } from '../case.ts'
import { modelOf } from './model.ts'

/** What this worker uses of onnxruntime-node. */
interface OrtTensor {
  readonly type: string
  readonly dims: readonly number[]
  readonly data: ArrayBufferView | readonly string[]
}
interface Session {
  run(feeds: Readonly<Record<string, OrtTensor>>): Promise<Readonly<Record<string, OrtTensor>>>
}
interface Ort {
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => OrtTensor
  readonly InferenceSession: {
    create(model: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>
  }
}

const folder = process.argv[2] ?? '.'
const require = createRequire(import.meta.url)
const ort = require(folder) as Ort
const { version } = require(join(folder, 'package.json')) as { version: string }

class Unsupported extends Error {}

function toOrt(given: TensorData): OrtTensor {
  const { dtype, shape, data } = given
  if (dtype === 'string') return new ort.Tensor('string', data, shape)
  if (dtype === 'bfloat16') throw new Unsupported('onnxruntime-node has no bfloat16')
  return new ort.Tensor(dtype, new arrays[dtype](bytesOf(given).buffer as ArrayBuffer), shape)
}

function fromOrt({ type, dims, data }: OrtTensor): TensorData {
  const dtype = type as CaseDType
  if (!ArrayBuffer.isView(data)) return { dtype, shape: dims, data }
  return encode(dtype, dims, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

const sessions = new Map<string, Promise<Session>>()

/** A kernel that does not exist is no answer about broadcasting. */
const MISSING =
  /NOT_IMPLEMENTED|Could not find an implementation|Failed to find kernel|Type '.*' of input parameter .* is invalid|not a registered function/

async function sessionFor(question: ComputeCase, dtypes: readonly CaseDType[]): Promise<Session> {
  const key = JSON.stringify([question.op, question.attrs, dtypes])
  let session = sessions.get(key)
  if (session === undefined) {
    const options = { logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1 }
    session = ort.InferenceSession.create(modelOf(question, dtypes), options)
    sessions.set(key, session)
  }
  return session
}

async function answer(question: ComputeCase): Promise<Answer> {
  const inputs = question.inputs.map(toOrt)
  const dtypes = question.inputs.map(({ dtype }) => dtype)
  if (question.target !== undefined) {
    inputs.push(new ort.Tensor('int64', BigInt64Array.from(question.target, BigInt), [question.target.length]))
    dtypes.push('int64')
  }
  if (question.attrs.to === 'bfloat16') throw new Unsupported('onnxruntime-node has no bfloat16')
  const session = await sessionFor(question, dtypes)
  const { y } = await session.run(Object.fromEntries(inputs.map((input, i) => [`x${i}`, input])))
  return { kind: 'tensor', tensor: fromOrt(y!) }
}

const send = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

send({ version })
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line) as ComputeCase
  let result: Answer
  try {
    result = await answer(question)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const unsupported = error instanceof Unsupported || MISSING.test(text)
    result = { kind: unsupported ? 'unsupported' : 'error', text: text.trim().slice(0, 400) }
  }
  send({ id: question.id, answer: result })
}
