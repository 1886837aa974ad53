// Files that are not what they should be: each is refused with what was found, what was expected, and a fix where there
// is one.

import { readFileSync } from 'node:fs'
import { writeTensorProto } from '@bcast/onnx'
import { TensorProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { archive } from '../../../../testing/files/archive.ts'
import { npyBytes, withHeader } from '../../../../testing/files/npy.ts'
import { FileError } from '../../src/errors/file-error.ts'
import { crc32 } from '../../src/files/crc32.ts'
import { openSink, openSource } from '../../src/files/open.ts'
import { put, readFile, readStored, temporaryFolder, writeFile } from './made.ts'

const at = temporaryFolder()
const row = { dtype: 'float32', shape: [3], elements: Float32Array.of(1, 2, 3) } as const

async function refusal(spec: string): Promise<string> {
  const error = await readFile(spec).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FileError)
  const { message, path } = error as FileError
  expect(path).toBe(spec)
  return message.slice(spec.length + 2)
}

const header = (descr: string, shape = '(3,)', fortran = 'False'): Buffer =>
  withHeader(`{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }`)

describe('.npy', () => {
  const whole = npyBytes(row)

  it.each([
    [
      'cut',
      whole.subarray(0, -5),
      '5 bytes are missing: shape (3) of float32 takes 80 bytes with its header, and there are 75.',
    ],
    ['trailing', Buffer.concat([whole, Buffer.alloc(7)]), '7 bytes follow the last element: shape (3) of float32'],
    ['short', Buffer.from([0x93]), 'the .npy header ends 7 bytes too early.'],
    ['cut header', whole.subarray(0, 30), 'the .npy header ends 38 bytes too early.'],
    [
      'other',
      Buffer.from('hello, world'),
      'it is no .npy file: it begins with the bytes 68656c6c6f2c, not 934e554d5059.',
    ],
    [
      'version',
      Buffer.from([...whole.subarray(0, 6), 4, 0, 0, 0]),
      '.npy version 4.0; versions 1.0, 2.0 and 3.0 can be read.',
    ],
    ['vast', header("'<f4'", '(1152921504606846976,)'), 'shape (1152921504606846976) is larger than any file.'],
    [
      'vast product',
      header("'|u1'", '(4294967296, 4294967296)'),
      'shape (4294967296,4294967296) is larger than any file.',
    ],
    [
      'large',
      header("'<f4'", '(1073741824, 1024)'),
      'bytes are missing: shape (1073741824,1024) of float32 takes 4398046511186 bytes',
    ],
    ['negative', header("'<f4'", '(-3,)'), 'shape in the .npy header has the negative size -3.'],
    ['no tuple', header("'<f4'", '3'), 'shape in the .npy header is no tuple of integers.'],
    ['grouped', header("'<f4'", '(3)'), 'shape in the .npy header is no tuple of integers.'],
    [
      'code',
      header("__import__('os').system('false')"),
      'the .npy header is no Python dictionary: "_" at character 10',
    ],
    ['call', withHeader("dict(descr='<f4')"), 'the .npy header is no Python dictionary: "d" at character 0'],
    ['unclosed', withHeader("{'descr': '<f4"), 'the .npy header is no Python dictionary: "\\n" at character 14'],
    ['deep', withHeader('('.repeat(60_000)), 'it nests more than 32 deep'],
    ['twice', withHeader("{'descr': '<f4', 'descr': '<f4'}"), "the key 'descr' comes twice"],
    [
      'keys',
      withHeader("{'descr': '<f4', 'shape': (3,)}"),
      'the keys descr, shape; it should have descr, fortran_order and shape.',
    ],
    ['order', header("'<f4'", '(3,)', '0'), 'fortran_order in the .npy header is neither True nor False.'],
    [
      'long',
      Buffer.concat([Buffer.from('\x93NUMPY\x02\x00', 'latin1'), Buffer.from([255, 255, 255, 255])]),
      'the .npy header claims 4294967295 bytes; at most 65536 are read.',
    ],
    [
      'pickle',
      header("'|O'"),
      "its type '|O' means pickled Python objects, and reading a pickle can run any code, so they are refused. Save numbers in Python: np.save('x.npy', arr.astype('float64')).",
    ],
    [
      'complex',
      header("'<c8'"),
      "its type '<c8' means complex numbers, which bcast does not have. Save numbers in Python: np.save('x.npy', arr.real).",
    ],
    ['text', header("'<U5'"), "its type '<U5' means text."],
    ['date', header("'<M8[ns]'"), "its type '<M8[ns]' means dates or durations."],
    ['long double', header("'<f16'"), "its type '<f16' means floats of a width that bcast does not have."],
    ['void', header("'|V7'"), "its type '|V7' means elements of a type that bcast does not have."],
    [
      'records',
      header("[('x', '<f4'), ('y', '<i4', (2, 2))]"),
      "its elements are records of several fields. Save one field in Python: np.save('x.npy', arr['field']).",
    ],
  ])('is refused with the reason: %s', async (name, bytes, reason) => {
    expect(await refusal(put(at(`${name}.npy`), bytes))).toContain(reason)
  })

  it('takes what other versions of NumPy and Python wrote', async () => {
    const elements = new Uint8Array(new Float32Array([1, 2, 3]).buffer)
    for (const text of [
      "{'descr': '=f4', 'fortran_order': False, 'shape': (3L,), }   ",
      '{"shape":(3,),"fortran_order":True,"descr":"f4"}',
      "{ 'descr' : '|f4' , 'fortran_order' : False , 'shape' : ( 3 , ) }\n\n",
    ]) {
      expect(await readFile(put(at('older.npy'), withHeader(text, elements)))).toEqual(Float32Array.of(1, 2, 3))
    }
  })

  it('says that there is no such file, or that it is a folder', async () => {
    expect(await refusal(at('missing.npy'))).toBe('there is no such file.')
    expect(await refusal(at('.'))).toBe('it is a folder. Name a file in it.')
  })
})

describe('.npz', () => {
  const member = npyBytes(row)
  const both = (): Buffer =>
    archive([
      { name: 'x.npy', data: member },
      { name: 'deep.npy', data: member, deflate: true },
    ])

  it('gives stored and deflated members, by name', async () => {
    put(at('both.npz'), both())
    for (const name of ['x', 'deep', 'deep.npy']) {
      const source = await openSource(`${at('both.npz')}:${name}`)
      expect(source.seekable).toBe(name === 'x')
      expect(await readStored(source, 2)).toEqual(row.elements)
    }
  })

  it('lists the members when one is missing, or none is named', async () => {
    put(at('list.npz'), both())
    expect(await refusal(`${at('list.npz')}:y`)).toBe('the archive has no such member. Its members are x, deep.')
    expect(await refusal(at('list.npz'))).toContain(`the archive has 2 arrays: x, deep. Name one: ${at('list.npz')}:x.`)
    expect(await refusal(put(at('none.npz'), archive([])))).toBe('the archive is empty.')
    const text = archive([{ name: 'a.txt', data: Buffer.from('a') }])
    expect(await refusal(put(at('text.npz'), text))).toBe('the archive has no arrays, only a.txt.')
    const beside = archive([
      { name: 'a.txt', data: Buffer.from('a') },
      { name: 'x.npy', data: member },
    ])
    expect(await readFile(put(at('beside.npz'), beside))).toEqual(row.elements)
  })

  it.each(['plain', 'a:b', 'x.dat'])('is named as it says, whatever the name of the archive: %s', async (name) => {
    const members = ['folder/x:y.npy', 'z.npy'].map((file) => ({ name: file, data: member }))
    const spec = put(at(name), archive(members))
    const advice = `the archive has 2 arrays: folder/x:y, z. Name one: ${spec}:npz:folder/x:y.`
    expect([await refusal(spec), await refusal(`${spec}:npz`)]).toEqual([advice, advice])
    expect(await readFile(`${spec}:npz:folder/x:y`)).toEqual(row.elements)
    expect(await refusal(`${spec}:npz:y`)).toContain('the archive has no such member.')
  })

  it.each([0, 1])('compares the checksum, deflated or not: %s', async (deflate) => {
    const bytes = archive([{ name: 'x.npy', data: member, deflate: deflate === 1, checksum: 0x12345678 }])
    expect(await refusal(put(at('checksum.npz'), bytes))).toContain('the checksum of the member differs from its bytes')
  })

  it('compares the checksum before it reads out of order', async () => {
    const bytes = archive([{ name: 'x.npy', data: member }])
    bytes[bytes.indexOf(member) + member.length - 1]! ^= 1
    const source = await openSource(put(at('order.npz'), bytes))
    await expect(source.read(1, new Float32Array(1))).rejects.toThrow('the checksum of the member differs')
    await source.close()
  })

  it('goes back over a stored member once it is checked', async () => {
    const source = await openSource(put(at('back.npz'), archive([{ name: 'x.npy', data: member }])))
    const target = new Float32Array(2)
    for (const start of [1, 0, 1]) {
      await source.read(start, target)
      expect(target).toEqual(row.elements.slice(start, start + 2))
    }
    await source.close()
  })

  it('reads nothing that grows beyond what its header says', async () => {
    const bomb = Buffer.concat([member, Buffer.alloc(50_000_000)])
    expect(await refusal(put(at('bomb.npz'), archive([{ name: 'x.npy', data: bomb, deflate: true }])))).toContain(
      '50000000 bytes follow the last element',
    )
    const liar = archive([{ name: 'x.npy', data: bomb, deflate: true, size: member.length }])
    expect(await refusal(put(at('liar.npz'), liar))).toContain(`should inflate to ${member.length} bytes, not more`)
    const short = archive([{ name: 'x.npy', data: member.subarray(0, -2), deflate: true, size: member.length }])
    expect(await refusal(put(at('short.npz'), short))).toContain('should inflate to 80 bytes, not 78')
  })

  it.each([
    [
      'cut',
      both().subarray(0, -30),
      'it is no sound archive: End of central directory record signature not found. Either not a zip file, or file is truncated.',
    ],
    ['other', Buffer.from('hello'), 'it is no sound archive: End of central directory record signature not found'],
    ['pickled', archive([{ name: 'x.npy', data: header("'|O'") }]), 'pickled Python objects'],
    [
      'method',
      archive([{ name: 'x.npy', data: member, method: 12 }]),
      'compressed by method 12; stored (0) and deflated (8) can be read.',
    ],
    [
      'secret',
      archive([{ name: 'x.npy', data: member, flags: 1 }]),
      'no sound archive: compressed/uncompressed size mismatch',
    ],
    [
      'twins',
      archive([
        { name: 'x.npy', data: member },
        { name: 'x', data: member },
      ]),
      'two of its members are named x',
    ],
    [
      'beyond',
      archive([{ name: 'x.npy', data: member, deflate: true, compressedSize: 5000 }]),
      'it is no sound archive: file data overflows file bounds',
    ],
    ['garbled', archive([{ name: 'x.npy', data: Buffer.alloc(80, 0xff), method: 8 }]), 'the member cannot be inflated'],
  ])('is refused with the reason: %s', async (name, bytes, reason) => {
    const said = await refusal(put(at(`${name}.npz`), bytes))
    expect(said).toContain(reason)
    expect(said).not.toContain('..')
  })

  it('does not look for a directory where no file reaches', async () => {
    await writeFile(at('wide.npz'), row)
    const bytes = readFileSync(at('wide.npz'))
    expect(await readFile(at('wide.npz'))).toEqual(row.elements)
    bytes.writeBigUInt64LE(2n ** 62n, bytes.length - 22 - 12)
    expect(await refusal(put(at('wide.npz'), bytes))).toContain(
      `it is no sound archive: it speaks of byte 4611686018427388000, and has ${bytes.length}.`,
    )
  })

  it('is written with its checksum before the elements too, for readers that go forward', async () => {
    await writeFile(at('forward.npz'), row)
    const bytes = readFileSync(at('forward.npz'))
    const start = bytes.indexOf(Buffer.from('\x93NUMPY', 'latin1'))
    expect(bytes.readUInt32LE(14)).toBe(crc32(bytes.subarray(start, start + 128 + 12)))
  })

  it('does not overwrite an archive that has other arrays', async () => {
    put(at('others.npz'), both())
    await expect(openSink(`${at('others.npz')}:x`, row)).rejects.toThrow(
      'other arrays, which would be lost: deep. Name a new file.',
    )
    await writeFile(`${at('alone.npz')}:x`, row)
    await writeFile(`${at('alone.npz')}:x`, { ...row, elements: Float32Array.of(4, 5, 6) })
    expect(await readFile(at('alone.npz'))).toEqual(Float32Array.of(4, 5, 6))
  })
})

describe('.json', () => {
  const json = (text: string, suffix = ''): string => `${put(at('x.json'), text)}${suffix}`

  it.each([
    ['[[1, 2], [3, 4.5]]', '', 'float64', [2, 2], [1, 2, 3, 4.5]],
    ['7', '', 'float64', [], [7]],
    ['[true, false]', '', 'bool', [2], [1, 0]],
    ['[]', '', 'float64', [0], []],
    ['[[], []]', '', 'float64', [2, 0], []],
    ['[NaN, "-Infinity", Infinity, -0.0]', '', 'float64', [4], [NaN, -Infinity, Infinity, -0]],
    ['[9007199254740993, -9223372036854775808]', ':int64', 'int64', [2], [9007199254740993n, -(2n ** 63n)]],
    ['{"dtype": "uint64", "data": [18446744073709551615]}', '', 'uint64', [1], [2n ** 64n - 1n]],
    ['{"data": [9007199254740993], "dtype": "int64"}', '', 'int64', [1], [9007199254740993n]],
    ['{"data": [1, 2]}', '', 'float64', [2], [1, 2]],
    ['{"shape": [2, 1, 2], "data": [1, 2, 3, 4], "dtype": "int8"}', '', 'int8', [2, 1, 2], [1, 2, 3, 4]],
    ['{"shape": [0, 3], "data": []}', '', 'float64', [0, 3], []],
    ['[1, 65504]', ':float16', 'float16', [2], [0x3c00, 0x7bff]],
    ['[1e2, 3.0]', ':int16', 'int16', [2], [100, 3]],
    ['[0, 1, true]', ':bool', 'bool', [3], [0, 1, 1]],
  ])('gives %s%s', async (text, suffix, dtype, shape, elements) => {
    const source = await openSource(json(text, suffix))
    expect({ dtype: source.dtype, shape: source.shape }).toEqual({ dtype, shape })
    expect([...(await readStored(source))]).toEqual(elements)
  })

  it.each([
    ['[[1, 2], [3]]', '', 'ragged nesting at [1]: 1 entries where its neighbours have 2, near byte 12.'],
    ['[[1, 2], 3]', '', 'ragged nesting at [1]: an element where its neighbours are lists'],
    ['[1, [2]]', '', 'ragged nesting at [1]: a list where its neighbours are elements'],
    ['[[[]], []]', '', 'ragged nesting at [1]: 0 entries where its neighbours have 1'],
    ['[1, true]', '', 'true is no number; NaN, "NaN", Infinity and "Infinity" are; it stands at [1], near byte 8.'],
    ['[true, 1]', '', '1 is no bool; it stands at [1]'],
    ['[1, "2"]', '', 'the string "2" is no number; it stands at [1]'],
    [
      '[9007199254740993]',
      '',
      '9007199254740993 is no float64, which is the type of numbers when none is said; it stands at [0], near byte',
    ],
    ['[1, 300]', ':uint8', '300 lies outside uint8, which has 0 to 255; it stands at [1]'],
    ['[1.5]', ':int32', '1.5 is no int32'],
    ['[9223372036854775808]', ':int64', '9223372036854775808 lies outside int64'],
    ['[1, 2', '', 'the end where a comma or ] was expected'],
    ['[1, ]', '', '"]" where a value was expected'],
    ['[1 2]', '', '"2" where a comma or ] was expected'],
    ['[1] [2]', '', '"[" where nothing more was expected'],
    ['[1], [2]', '', '"," where nothing more was expected'],
    ['[01]', '', '01 is no number'],
    ['[+1]', '', '+1 is no number'],
    ['["a', '', 'the text ends within a string'],
    [' ', '', 'the end where a value was expected'],
    ['[1e400]', '', '1e400 is beyond the numbers of float64; infinity is written "Infinity"; it stands at [0]'],
    ['{"dtype": "float16", "data": [1, 65520]}', '', '65520 is beyond the numbers of float16'],
    ['[-3.4028236e38]', ':float32', '-3.4028236e38 is beyond the numbers of float32'],
    ['[null]', '', 'null is no number'],
    ['{"dtype": "float8", "data": [1]}', '', '"float8" is none of the types float16, bfloat16'],
    ['{"dtype": "int8", "data": [1]}', ':int16', 'the file says that its elements are int8, not int16'],
    ['{"values": [1]}', '', 'the key "values"; an array has dtype, shape and data'],
    ['{"dtype": "int8"}', '', 'there is no "data"'],
    ['{"data": [1], "data": [2]}', '', 'the key "data" comes twice'],
    ['{"shape": [2, 2], "data": [1, 2, 3]}', '', '"shape" is (2,2), and "data" has shape (3)'],
    ['{"shape": [-1], "data": [1]}', '', '"-1" where a size was expected'],
    [`[${'1'.repeat(5000)}`, '', 'a number or word of more than 4096 characters'],
    ['['.repeat(100), '', 'lists nest more than 64 deep'],
  ])('refuses %s%s', async (text, suffix, reason) => {
    expect(await refusal(json(text, suffix))).toContain(reason)
  })

  it.each([
    ['x.json', 'x.json:int64'],
    ['plain', 'plain:json:int64'],
    ['a:b', 'a:b:json:int64'],
    ['plain:json', 'plain:json:int64'],
  ])('says how to name a type, and takes it: %s', async (spec, advised) => {
    put(at(spec.replace(/:json$/, '')), '[9007199254740993]')
    expect(await refusal(at(spec))).toMatch(new RegExp(` Say one: ${at(advised)}\\.$`))
    expect(await readFile(at(advised))).toEqual(BigInt64Array.of(9007199254740993n))
  })

  it('may begin with a byte order mark', async () => {
    for (const text of ['[1, 2]', '{"data": [1, 2], "dtype": "int64"}', '7']) {
      const plain = await readFile(json(text))
      expect(await readFile(json(`\ufeff${text}`))).toEqual(plain)
      expect(await readFile(put(at('marked'), `\ufeff${text}`))).toEqual(plain)
    }
    expect(await refusal(json('[\ufeff1]'))).toContain('is no number')
  })

  it('keeps elements beyond the memory it may take in a file', async () => {
    const numbers = Array.from({ length: 50_000 }, (_, i) => i * 0.5)
    const source = await openSource(json(JSON.stringify(numbers)), { memory: 2 ** 14 })
    expect([...(await readStored(source, 10_000))]).toEqual(numbers)
  })
})

describe('raw elements', () => {
  const raw = (suffix: string): string => `${put(at('x.bin'), new Uint8Array([0, 0, 128, 63, 0, 0, 0, 64]))}${suffix}`

  it('takes type, shape and byte order from the name', async () => {
    expect(await readFile(raw(':float32:2'))).toEqual(Float32Array.of(1, 2))
    expect(await readFile(raw(':float32'))).toEqual(Float32Array.of(1, 2))
    expect(await readFile(raw(':<f4:(2,1)'))).toEqual(Float32Array.of(1, 2))
    expect(await readFile(raw(':>u2:2,2'))).toEqual(Uint16Array.of(0, 0x803f, 0, 0x40))
    const scalar = await openSource(raw(':uint64:()'))
    expect(scalar.shape).toEqual([])
    await scalar.close()
    expect(await readFile(raw(':raw:float32:2'))).toEqual(Float32Array.of(1, 2))
  })

  it.each([
    [':float32:3', '4 bytes are missing: shape (3) of float32 takes 12 bytes, and there are 8.'],
    [':int8:7', '1 bytes are too many: shape (7) of int8 takes 7 bytes, and there are 8.'],
    ['', `raw elements need a type and a shape. Name them: ${at('x.bin')}:float32:2,3.`],
    [':raw', `raw elements need a type and a shape. Name them: ${at('x.bin')}:raw:float32:2,3.`],
    [':float33:2', '"float33" is no type. A type is float16,'],
    [':string:2', '"string" is a type that files cannot hold.'],
    [':float32:', '"" is no shape.'],
    [':float32:2x3', '"2x3" is no shape. A shape is sizes with commas'],
    [':float64:99999999,99999999', 'is larger than any file.'],
  ])('refuses %s', async (suffix, reason) => {
    expect(await refusal(raw(suffix))).toContain(reason)
  })

  it.each(['dat', 'npy', 'npz', 'json', 'pb'])('are none in an empty file .%s', async (extension) => {
    expect(await refusal(put(at(`empty.${extension}`), Buffer.alloc(0)))).toContain('it is empty.')
  })

  it('are not guessed', async () => {
    expect(await refusal(put(at('x.dat'), Buffer.from([1, 2, 3])))).toContain(
      'neither its name nor its first bytes (010203) say what it holds.',
    )
    expect(await refusal(`${put(at('typed.npy'), npyBytes(row))}:float32:3`)).toContain(
      'a .npy file has its own type and shape. Leave out :float32:3.',
    )
    expect(await readFile(put(at('a:b.npy'), npyBytes(row)))).toEqual(row.elements)
    expect(await readFile(put(at('no-extension'), npyBytes(row)))).toEqual(row.elements)
  })
})

describe('ONNX tensors', () => {
  const proto = (fields: object): Uint8Array =>
    writeTensorProto(create(TensorProtoSchema, { dims: [2n], dataType: 1, ...fields }))

  it('gives elements of raw_data and of typed fields', async () => {
    const elements = Float32Array.of(1.5, -2)
    for (const fields of [{ rawData: new Uint8Array(elements.buffer), name: 'x' }, { floatData: [1.5, -2] }]) {
      expect(await readFile(put(at('x.pb'), proto(fields)))).toEqual(elements)
    }
  })

  it('gives elements that lie in another file beside it', async () => {
    put(at('weights'), new Uint8Array(Float32Array.of(9, 1.5, -2).buffer))
    const externalData = [
      { key: 'location', value: 'weights' },
      { key: 'offset', value: '4' },
    ]
    expect(await readFile(put(at('external.pb'), proto({ dataLocation: 1, externalData })))).toEqual(
      Float32Array.of(1.5, -2),
    )
  })

  it.each([
    ['short', proto({ rawData: new Uint8Array(5) }), 'raw_data has 5 bytes where shape (2) of float32 takes 8.'],
    [
      'two places',
      proto({ rawData: new Uint8Array(8), floatData: [1, 2] }),
      'its elements lie in raw_data and in another field too.',
    ],
    ['strings', proto({ dataType: 8, stringData: [Uint8Array.of(97), Uint8Array.of(98)] }), 'its elements are strings'],
    ['complex', proto({ dataType: 14, rawData: new Uint8Array(16) }), 'complex64'],
    ['negative', proto({ dims: [-2n], rawData: new Uint8Array(8) }), 'its sizes (-2) are no shape of a tensor.'],
    ['vast', proto({ dims: [2n ** 60n], rawData: new Uint8Array(8) }), 'are no shape of a tensor.'],
    ['missing', proto({}), 'it is no ONNX tensor that can be read'],
    ['damaged', Uint8Array.of(0x4a, 0xff, 0x01), 'it is no ONNX tensor that can be read'],
  ])('are refused with the reason: %s', async (name, bytes, reason) => {
    expect(await refusal(put(at(`${name}.pb`), bytes))).toContain(reason)
  })
})
