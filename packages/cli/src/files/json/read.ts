// Arrays in JSON: nested lists, or {"dtype": …, "shape": …, "data": …}. The text is read as it comes, and the elements
// are kept in memory or a temporary file; the shape is known at the end.
import type { FileError } from '../../errors/file-error.ts'
import { Spool } from '../blocks/spool.ts'
import { storedSource } from '../blocks/stored-array.ts'
import { type Bytes, blocksOf } from '../bytes/bytes.ts'
import { countOf, type StoredDType, storedDTypes } from '../element.ts'
import { detailed } from '../place.ts'
import type { ArraySource } from '../source.ts'
import { ElementRun, isNumberName, typeOfWord, UntypedError, WordError } from './elements.ts'
import { Nesting, NestingError } from './nesting.ts'
import { JsonTokens, type Token, withoutMark } from './tokens.ts'

type Expected = 'a value' | 'a value or ]' | 'a comma or ]'

interface Reading {
  readonly tokens: JsonTokens
  /** Where elements go; undefined to find out the type first. */
  readonly spool: Spool | undefined
  /** The type, where it is known before the elements. */
  dtype: StoredDType | undefined
  shape: readonly number[] | undefined
  data: Data | undefined
}

interface Data {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
}

function unexpected({ tokens }: Reading, token: Token, expected: string): FileError {
  const found = token === 'word' || token === 'string' ? tokens.value : token
  return tokens.fail(`${token === 'end' ? 'the end' : JSON.stringify(found)} where ${expected} was expected`)
}

async function expect(reading: Reading, wanted: Token, expected: string): Promise<string> {
  const token = await reading.tokens.next()
  if (token !== wanted) throw unexpected(reading, token, expected)
  return reading.tokens.value
}

/** What is expected behind a token within lists, given what was expected before it. */
function follow(reading: Reading, token: Token, expected: Expected): Expected {
  const value = expected !== 'a comma or ]'
  if (value && token === '[') return 'a value or ]'
  if (value && (token === 'word' || token === 'string')) return 'a comma or ]'
  if (token === ']' && expected !== 'a value') return 'a comma or ]'
  if (token === ',' && !value) return 'a value'
  throw unexpected(reading, token, expected)
}

/** Lists of elements, or one element; the first token has been read. */
async function readData(reading: Reading, first: Token): Promise<Data> {
  const { tokens, spool } = reading
  const nesting = new Nesting()
  let dtype = reading.dtype
  let run: ElementRun | undefined
  let expected = follow(reading, first, 'a value')
  const element = (token: Token): void => {
    nesting.element()
    const { value } = tokens
    if (token === 'string' && !isNumberName(value))
      throw new WordError(`the string ${JSON.stringify(value)} is no number`)
    dtype ??= typeOfWord(value)
    if (spool !== undefined) (run ??= new ElementRun(dtype, reading.dtype !== undefined)).add(value)
  }
  for (let token = first; ; ) {
    try {
      if (token === '[') nesting.begin()
      else if (token === ']') nesting.end()
      else if (token !== ',') element(token)
    } catch (error) {
      if (error instanceof NestingError) throw tokens.fail(error.message)
      if (!(error instanceof WordError)) throw error
      const fix = error instanceof UntypedError ? `Say one: ${detailed(tokens.label, 'json', 'int64')}.` : undefined
      throw tokens.fail(`${error.message}; it stands ${nesting.place()}`, fix)
    }
    if (run?.full === true) await spool!.append(run.taken())
    if (nesting.depth === 0 && expected === 'a comma or ]') break
    token = tokens.take() ?? (await tokens.awaited())
    expected = follow(reading, token, expected)
  }
  if (run !== undefined) await spool!.append(run.taken())
  return { dtype: dtype ?? 'float64', shape: nesting.shape }
}

async function readShape(reading: Reading): Promise<number[]> {
  const shape: number[] = []
  await expect(reading, '[', 'a list of sizes')
  for (let token = await reading.tokens.next(); token !== ']'; token = await reading.tokens.next()) {
    if (shape.length > 0) {
      if (token !== ',') throw unexpected(reading, token, 'a comma or ]')
      token = await reading.tokens.next()
    }
    const size = Number(reading.tokens.value)
    if (token !== 'word' || !/^\d+$/.test(reading.tokens.value) || !Number.isSafeInteger(size)) {
      throw unexpected(reading, token, 'a size')
    }
    shape.push(size)
  }
  return shape
}

async function readType(reading: Reading): Promise<StoredDType> {
  const name = await expect(reading, 'string', 'the name of a type')
  const dtype = storedDTypes.find((each) => each === name)
  if (dtype === undefined)
    throw reading.tokens.fail(`${JSON.stringify(name)} is none of the types ${storedDTypes.join(', ')}`)
  if (reading.dtype !== undefined && reading.dtype !== dtype) {
    throw reading.tokens.fail(`the file says that its elements are ${dtype}, not ${reading.dtype}`)
  }
  return dtype
}

async function readObject(reading: Reading): Promise<void> {
  const seen = new Set<string>()
  for (let token: Token = ','; token === ','; token = await reading.tokens.next()) {
    const key = await expect(reading, 'string', 'a key in quotes')
    if (seen.has(key)) throw reading.tokens.fail(`the key ${JSON.stringify(key)} comes twice`)
    seen.add(key)
    await expect(reading, ':', 'a colon')
    if (key === 'dtype') reading.dtype = await readType(reading)
    else if (key === 'shape') reading.shape = await readShape(reading)
    else if (key === 'data') reading.data = await readData(reading, await reading.tokens.next())
    else throw reading.tokens.fail(`the key ${JSON.stringify(key)}; an array has dtype, shape and data`)
  }
  if (reading.data === undefined) throw reading.tokens.fail('there is no "data"')
}

/** The shape that the file says, or else that of the nesting; one list may hold the elements of any shape. */
function finalShape({ tokens, shape, data }: Reading): readonly number[] {
  const nested = data!.shape
  if (shape === undefined || shape.join() === nested.join()) return nested
  const flat = nested.length === 1 && nested[0] === countOf(shape)
  const empty = countOf(shape) === 0 && countOf(nested) === 0
  if (flat || empty) return shape
  throw tokens.fail(`"shape" is (${shape.join(',')}), and "data" has shape (${nested.join(',')})`)
}

/** Reads the text once. Without a spool elements are only looked at, to find a type that stands behind them. */
async function readText(
  label: string,
  text: Bytes,
  dtype: StoredDType | undefined,
  spool: Spool | undefined,
): Promise<Data & { readonly typed: boolean }> {
  const tokens = new JsonTokens(label, blocksOf(text))
  const reading: Reading = { tokens, spool, dtype, shape: undefined, data: undefined }
  const first = await tokens.next()
  if (first === '{') await readObject(reading)
  else reading.data = await readData(reading, first)
  const last = await tokens.next()
  if (last !== 'end') throw unexpected(reading, last, 'nothing more')
  return { dtype: reading.dtype ?? reading.data!.dtype, shape: finalShape(reading), typed: reading.dtype !== undefined }
}

/**
 * Whether the type, if any is said, stands before the elements: lists alone say none, and our own files begin with it.
 */
async function typeComesFirst(text: Bytes): Promise<boolean> {
  const start = new Uint8Array(Math.min(256, text.size))
  await text.read(0, start)
  return /^\s*([^{\s]|\{\s*"dtype")/.test(withoutMark(Buffer.from(start)).toString('latin1'))
}

/** Elements of JSON text as `dtype`, or as the file says, or bool or float64 by their first; `text` is closed. */
export async function jsonSource(
  label: string,
  text: Bytes,
  dtype: StoredDType | undefined,
  memory: number,
): Promise<ArraySource> {
  const spool = new Spool(memory)
  try {
    const said = (await typeComesFirst(text)) ? undefined : await readText(label, text, dtype, undefined)
    const data = await readText(label, text, said?.typed === true ? said.dtype : dtype, spool)
    return storedSource({ label, ...data, order: 'row-major', littleEndian: true }, spool.bytes(), 0)
  } catch (error) {
    await spool.discard()
    throw error
  } finally {
    await text.close()
  }
}
