// Every call below must not compile. messages.txt holds what the compiler says, word for word.
import {
  add,
  broadcast,
  broadcastBackprop,
  broadcastShapes,
  broadcastTo,
  explicit,
  fuse,
  gemm,
  matmul,
  max,
  mul,
  none,
  pdpd,
  prelu,
  sumTo,
  sumToEach,
  type Tensor,
  tensor,
  unidirectional,
  where,
} from 'bcast'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
const y = tensor(new Float32Array(120), { shape: [2, 3, 4, 5] })
const standardize = fuse((x, mean, std) => x.sub(mean).div(std))
const choose = fuse((condition, x) => condition.where(x, 0))
declare const batch: Tensor<'float32', [number, 3]>

add(x, tensor([1, 2]))
add(x, tensor([1, 2, 3], { dtype: 'int32' }))
add(batch, tensor([1, 2]))
add(y, tensor(new Float32Array(15), { shape: [3, 5] }), { broadcast: pdpd({ axis: 1 }) })
add(x, y, { broadcast: unidirectional })
add(x, tensor([[1, 2, 3]]), { broadcast: none })
add(y, tensor([1, 2, 3]), { broadcast: explicit({ axesMapping: [2] }) })
mul(x, y)
where(tensor([true, false]), x, x)
where(tensor([true, false, true]), x, tensor([1, 2]))
where(x, x, 0)
add(y, tensor([1, 2, 3]), { broadcast: explicit({ axesMapping: [4] }) })
add(y, tensor([[1, 2, 3]]), { broadcast: explicit({ axesMapping: [1, 0] }) })
add(y, tensor([[1, 2, 3]]), { broadcast: explicit({ axesMapping: [1] }) })
add(y, tensor([1, 2, 3]), { broadcast: explicit({ broadcastAxes: [0, 1, 2] }) })
add(y, tensor([1, 2, 3]), { broadcast: explicit({ broadcastAxes: [0] }) })
broadcast(x, tensor([1, 2]))
broadcastShapes([2, 3], [2])
broadcastShapes([2, 3, 4, 5], [3, 5], { broadcast: pdpd({ axis: 1 }) })
broadcastTo(x, [2, 4])
x.broadcastTo([3])
sumTo(x, [2])
sumTo(tensor([[1], [2]]), [2, 3], { broadcast: 'numpy' })
sumToEach([x, x], [[2, 3], [2]])
broadcastBackprop(x, { broadcastAxes: [2] })
max(x, tensor([1, 2]))
max(x, 0, tensor([1, 2, 3], { dtype: 'int32' }))
prelu(tensor([1, 2, 3]), x)
standardize(x, tensor([1, 2, 3]))
standardize(x, tensor([1, 2]), tensor([1, 2, 3]))
add.async(x, tensor([1, 2]))
add.async(x, tensor([1, 2, 3], { dtype: 'int32' }))
add.async(x, y, { broadcast: unidirectional })
where.async(tensor([true, false]), x, x)
max.async(x, tensor([1, 2]))
prelu.async(tensor([1, 2, 3]), x)
standardize.async(x, tensor([1, 2, 3]))
standardize.async(x, tensor([1, 2]), tensor([1, 2, 3]))
standardize(x, tensor([1, 2, 3], { dtype: 'int32' }), x)
choose(x, x)
x.reshape(4, 2)
x.reshape([-1, 4])
y.reshape(60, 3)
x.get(0, 3)
x.get(-3, 0)
x.get(0)
x.slice(2)
x.slice(0, [0, 1], 1)
x.at(-3)
gemm(x, x)
gemm(tensor([1, 2]), x)
gemm(x, x, undefined, { transA: true, transB: true })
gemm(x, tensor([[1n], [2n], [3n]]))
gemm(x, tensor([[1], [2], [3]]), tensor([1, 2]))
matmul(x, x)
matmul(x, tensor([1, 2]))
matmul(tensor(1), x)
matmul(x, tensor(1))
matmul(y, tensor(new Float32Array(120), { shape: [4, 5, 6] }))
matmul(x, tensor([[1n], [2n], [3n]]))
matmul.async(x, x)
tensor([[1, 2], [3]])
tensor([[1, 2], 3])
tensor([1, 2, 3, 4], { shape: [3] })
tensor([[1, 2], [3, 4]], { shape: [2, 3], dtype: 'int32' })
