// The same calls for every page and for Node: all types, layouts, sizes on both sides of every threshold, a refusal.
// Plain JavaScript, because pages load it as it is.

/** Random 32-bit integers by a seed. */
function random(seed) {
  let state = seed | 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state ^ (state >>> 13)) >>> 0
  }
}

const hexadecimal = (numbers, digits) =>
  Array.from(numbers, (number) => number.toString(16).padStart(digits, '0')).join('')

/** 64 bits that change with any bit of the bytes. */
function digest(bytes) {
  const state = new Uint32Array([0x811c9dc5, 0x9747b28c])
  for (const byte of bytes) {
    state[0] = Math.imul(state[0] ^ byte, 0x01000193)
    state[1] = Math.imul(state[1] ^ byte ^ (state[1] >>> 13), 0x5bd1e995)
  }
  return `digest ${hexadecimal(state, 8)}`
}

/** The bits of the elements, or a digest of many; every NaN is the same. */
function bitsOf({ data, dtype }) {
  if (Array.isArray(data)) return data.join('|')
  const copy = data.slice()
  copy.forEach((element, i) => {
    if (Number.isNaN(element)) copy[i] = Number.NaN
    if (dtype === 'float16' && (element & 0x7fff) > 0x7c00) copy[i] = 0x7e00
    if (dtype === 'bfloat16' && (element & 0x7fff) > 0x7f80) copy[i] = 0x7fc0
  })
  const bytes = new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength)
  return bytes.length > 10_000 ? digest(bytes) : hexadecimal(bytes, 2)
}

/** What np.savez_compressed wrote: x in the other byte order, y in Fortran order. */
const ARCHIVE = [
  'UEsDBC0AAAAIAAAAIQBWxVnq//////////8FABQAeC5ucHkBABAAmAAAAAAAAABeAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6XaaSuo6',
  'Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GsY6CiaaOgq1CmQDLgYGBkYGJgZmBhYGVgY2BnYGDgZOBi4GbgBQSwMELQAAAAgAAAAhAF9P',
  'yDL//////////wUAFAB5Lm5weQEAEACwAAAAAAAAAF0AAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNmoa6joJ6WX1RSlJgXn1+UkgoSDy',
  'kqTQUKF2ckFqQCuRpGOgrGmjoKtQrkAy4GKDAxBoHH9rNmgsBJKP0SSt+0h6j6YA8AUEsBAi0DLQAAAAgAAAAhAFbFWepeAAAAmAAAAAUAAAAA',
  'AAAAAAAAAIABAAAAAHgubnB5UEsBAi0DLQAAAAgAAAAhAF9PyDJdAAAAsAAAAAUAAAAAAAAAAAAAAIABlQAAAHkubnB5UEsFBgAAAAACAAIAZg',
  'AAACkBAAAAAA==',
].join('')

/** The library with the asynchronous form of each function that has one in its place. */
export const asynchronous = (bcast) =>
  Object.fromEntries(Object.entries(bcast).map(([name, value]) => [name, value?.async ?? value]))

/** Calls the library, in either form, and gives what came out, by name. */
export async function compute(bcast) {
  const { add, cast, div, exp, gemm, greater, max, mul, pow, sigmoid, sub, tensor, where } = bcast
  const results = {}
  const give = async (name, call) => {
    const result = await call
    results[name] = `${result.dtype} (${result.shape}) ${bitsOf(result)}`
  }
  const floats = (shape, seed) => {
    const next = random(seed)
    const array = new Float32Array(shape.reduce((n, size) => n * size, 1))
    return tensor(
      array.map(() => (next() % 4001) / 16 - 125),
      { shape },
    )
  }
  const whole = (dtype, shape, seed) => cast(floats(shape, seed), dtype)

  for (const dtype of bcast.dtypes) {
    if (dtype === 'string' || dtype === 'real') continue
    const [x, y] = [await whole(dtype, [37, 53], 1), await whole(dtype, [53], 2)]
    if (dtype === 'bool') await give('and', bcast.and(x, y))
    else {
      await give(`add ${dtype}`, add(x, y))
      await give(`mul ${dtype}`, mul(x, y))
      await give(`greater ${dtype}`, greater(x, y))
      await give(`max ${dtype}`, max(x, y, y))
    }
    await give(`where ${dtype}`, where(await greater(floats([37, 1], 3), 0), x, y))
  }
  await give('strings', where(tensor([true, false]), tensor(['a', 'b']), tensor(['c', 'd'])))

  const [x, y] = [floats([300, 400], 4), floats([300, 400], 5)]
  const inside = await add(y, 0)
  await give('large', add(x, y))
  await give('large, transposed', sub(floats([400, 300], 6).transpose(), x))
  await give('large, inside', mul(inside, await add(inside, 1)))
  await give('large, strided', add(x.slice(null, [0, null, 3]), inside.slice(null, [0, null, 3])))
  await give('large, backwards', add(inside.slice([null, null, -1]), x))
  await give('rows of three', mul(floats([20_000, 3], 7), tensor([1, 2, 3])))
  const room = await add(x, 0)
  await add(x.slice(null, [0, 100]), 1, { out: room.slice(null, [0, 100]) })
  await give('into a part', room)
  await give('exp', exp(await div(x, 16)))
  await give('sigmoid', sigmoid(inside))
  await give('pow', pow(await max(x, 0.5), await div(y, 50)))
  await give('remainder', bcast.mod(x, y, { fmod: true }))
  await give('product', gemm(x.slice([0, 40]), y.slice([0, 50]), undefined, { transB: true }))
  await give(
    'product, inside',
    gemm(inside.slice([0, 90]), inside.slice([0, 90], [0, 30]), tensor([7]), { transA: true }),
  )
  const small = tensor([
    [1, 2],
    [3, 4],
  ])
  for (let i = 0; i < 5; i++) await give(`small, call ${i}`, add(small, tensor([i, 10])))

  await give('joined', bcast.concat([x, inside], { axis: 1 }))
  await give('padded', bcast.pad(x, [[1, 2], [3, 0]], { mode: 'reflect' })) // biome-ignore format: pairs
  await give('taken', bcast.take(inside, [7, 7, 3, 299], { axis: 0 }))
  for (const dtype of ['float16', 'float32', 'float64']) {
    await give(`uniform ${dtype}`, bcast.uniform(bcast.random(7), [101], { dtype }))
    await give(`normal ${dtype}`, bcast.normal(bcast.random(7), [10_001], { dtype }))
  }
  const archive = await bcast.readNpz(Uint8Array.from(atob(ARCHIVE), (character) => character.charCodeAt(0)))
  for (const [name, array] of Object.entries(archive)) await give(`${name} of an archive`, array)
  await give('a file', bcast.readNpy(bcast.writeNpy(archive.x)))

  const divisor = new Int32Array(120_000).fill(3)
  divisor[77_777] = 0
  try {
    await div(await cast(x, 'int32'), tensor(divisor, { shape: [300, 400] }))
  } catch (error) {
    results['division by zero'] = `${error.code} ${error.index}`
  }
  return results
}
