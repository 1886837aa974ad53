import type { Entry } from './entry.ts'

export const jaxMessages: readonly Entry[] = [
  {
    source: 'https://github.com/google/lightweight_mmm/issues/325',
    text: 'TypeError: add got incompatible shapes for broadcasting: (83,), (88,).',
    form: 'operator',
    shapes: [[83], [88]],
    where: 'in add',
  },
  {
    source: 'https://github.com/clip-italian/clip-italian/issues/19',
    text: 'TypeError: add got incompatible shapes for broadcasting: (512, 50, 1024), (1, 145, 1024).',
    form: 'operator',
    shapes: [
      [512, 50, 1024],
      [1, 145, 1024],
    ],
    where: 'in add',
  },
  {
    source: 'https://github.com/jax-ml/jax/issues/12305 (until 2022)',
    text: 'ValueError: Incompatible shapes for broadcasting: ((2, 4), (1, 2))',
    form: 'shapes',
    shapes: [
      [2, 4],
      [1, 2],
    ],
  },
  {
    source: 'https://github.com/jax-ml/jax/pull/12308 (since)',
    text: 'ValueError: Incompatible shapes for broadcasting: shapes=[(2, 4), (2,)]',
    form: 'shapes',
    shapes: [[2, 4], [2]],
  },
  {
    source: 'JAX 0.10.2: jnp.ones((2,3)) + jnp.ones(4)',
    text: 'ValueError: Incompatible shapes for broadcasting: shapes=[(2, 3), (4,)]',
    form: 'shapes',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'JAX 0.10.2: jnp.where of shapes (2,3), (4,), (5,)',
    text: 'ValueError: Incompatible shapes for broadcasting: shapes=[(2, 3), (4,), (5,)]',
    form: 'shapes',
    shapes: [[2, 3], [4], [5]],
  },
  {
    source: 'JAX 0.4.30: jnp.broadcast_to(jnp.ones(3),(2,4))',
    text: 'ValueError: Incompatible shapes for broadcasting: (3,) and requested shape (2, 4)',
    form: 'broadcast_to',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'JAX 0.10.2: jnp.broadcast_to(jnp.ones(3),(2,4))',
    text: 'ValueError: Incompatible types for broadcasting: input type=float32[3] and requested type=float32[2,4]',
    form: 'broadcast_to types',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'JAX 0.10.2: jnp.broadcast_to(jnp.ones((2,3)),(3,))',
    text: 'ValueError: Cannot broadcast to shape with fewer dimensions: arr_shape=(2, 3) shape=(3,)',
    form: 'broadcast_to rank',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'JAX 0.10.2: jax.lax.broadcast_in_dim(jnp.ones(3),(2,4),(1,))',
    text: 'TypeError: broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape (3,), target broadcast shape (2, 4), broadcast_dimensions (1,)',
    form: 'broadcast_in_dim',
    shapes: [[2, 4], [3]],
    rule: 'explicit',
  },
  {
    source: 'JAX 0.10.2: jnp.ones((7,2,3)) @ jnp.ones((6,3,5))',
    text: 'ValueError: Incompatible types for matmul arguments: float32[7,2,3] and float32[6,3,5]',
    form: 'matmul batch',
    shapes: [
      [7, 2, 3],
      [6, 3, 5],
    ],
    rule: 'matmulBatch',
  },
  {
    source: 'JAX 0.4.30: jnp.ones((7,2,3)) @ jnp.ones((6,3,5))',
    text: 'ValueError: Incompatible shapes for matmul arguments: (7, 2, 3) and (6, 3, 5)',
    form: 'matmul batch',
    shapes: [
      [7, 2, 3],
      [6, 3, 5],
    ],
    rule: 'matmulBatch',
  },
  {
    source: 'JAX 0.4.30: jax.lax.add(jnp.ones((2,3)), jnp.ones(3))',
    text: 'TypeError: add: arrays must have same number of dimensions, got (2, 3), (3,).',
    form: 'lax rank',
    about: 'equal ranks',
  },
  {
    source: 'JAX 0.10.2: jax.lax.add(jnp.ones((2,3)), jnp.ones(3))',
    text: 'TypeError: add: arrays must have the same number of dimensions, got {1, 2}',
    form: 'lax rank',
    about: 'equal ranks',
  },
  {
    source: 'JAX 0.10.2: jnp.matmul(jnp.ones((2,3)), jnp.ones((4,5)))',
    text: 'TypeError: dot_general requires contracting dimensions to have the same shape, got (3,) and (4,).',
    form: 'dot_general',
    about: 'matrix product',
  },
  {
    source: 'JAX 0.10.2: jnp.concatenate([jnp.ones((2,3)), jnp.ones((2,4))])',
    text: 'TypeError: Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension 0 for shapes (2, 3), (2, 4).',
    form: 'concatenate',
    about: 'concatenation',
  },
  {
    source: 'JAX 0.10.2: jnp.ones(6).reshape(4)',
    text: 'TypeError: cannot reshape array of shape (6,) (size 6) into shape 4 (size 4)',
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'JAX 0.10.2: jnp.stack([jnp.ones(3), jnp.ones(4)])',
    text: 'ValueError: All input arrays must have the same shape. Got (3,), (4,).',
    form: 'stack',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'JAX 0.4.30: jnp.stack([jnp.ones(3), jnp.ones(4)])',
    text: 'ValueError: All input arrays must have the same shape.',
    form: 'stack without shapes',
    about: 'equal shapes',
    says: 'jnp.stack wants equal shapes',
  },
  {
    source: 'JAX 0.10.2: jax.lax.select_n(jnp.ones(3) > 0, jnp.ones(3), jnp.ones(4))',
    text: 'TypeError: select cases must have the same shapes, got [(3,), (4,)].',
    form: 'select cases',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'JAX 0.10.2: jax.lax.select(jnp.ones(3) > 0, jnp.ones(4), jnp.ones(4))',
    text: 'TypeError: select `which` must be scalar or have the same shape as cases, got `which` shape (3,) but case shape (4,).',
    form: 'select',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'JAX 0.10.2: jax.lax.clamp(jnp.ones(3), jnp.ones(4), jnp.ones(4))',
    text: 'TypeError: clamp requires min.shape == operand.shape or min.shape == (), got min.shape=(3,), operand.shape=(4,).',
    form: 'clamp',
    shapes: [[3], [4]],
    rule: 'none',
    where:
      'no broadcast: lax.clamp, unlike jnp.clip, wants equal shapes, and a size 1 does not stretch; A is min, which may be () too; B the operand',
  },
  {
    source: 'JAX 0.10.2: jax.vmap(lambda x, y, z: x)(jnp.ones((2,3)), jnp.ones((4,3)), jnp.ones(4))',
    text: `ValueError: vmap got inconsistent sizes for array axes to be mapped:
  * most axes (2 of them) had size 4, e.g. axis 0 of argument y of type float32[4,3];
  * one axis had size 2: axis 0 of argument x of type float32[2,3]`,
    form: 'mapped axes',
    about: 'mapped axes',
    says: 'these must have one size; they are 4 and 2.',
  },
  {
    source: "JAX 0.10.2: jax.vmap(lambda d: d['a'])({'a': jnp.ones((2,3)), 'b': jnp.ones((4,3))})",
    text: `ValueError: vmap got inconsistent sizes for array axes to be mapped:
  * one axis had size 2: axis 0 of argument d['a'] of type float32[2,3];
  * one axis had size 4: axis 0 of argument d['b'] of type float32[4,3]`,
    form: 'mapped axes',
    about: 'mapped axes',
    says: 'they are 2 and 4.',
  },
  {
    source: 'https://github.com/jax-ml/jax/pull/1613 (until 2022)',
    text: `ValueError: vmap got inconsistent sizes for array axes to be mapped:
arg 0 has shape (10, 4) and axis 0 is to be mapped
arg 1 has shape (10, 2) and axis 1 is to be mapped
arg 2 has shape (10, 4) and axis 0 is to be mapped
so
args 0, 2 have axes to be mapped of size 10
arg 1 has an axis to be mapped of size 2`,
    form: 'mapped axes',
    about: 'mapped axes',
    says: 'they are 10 and 2.',
  },
  {
    source: 'https://github.com/jax-ml/jax/pull/12800 (the head of it)',
    text: `ValueError: pmap got inconsistent sizes for array axes to be mapped:
the tree of axis sizes is:`,
    form: 'mapped axes',
    about: 'mapped axes',
    says: 'pmap maps over one axis of each argument, and these must have one size.',
  },
  {
    source: 'JAX 0.10.2: jnp.concatenate([jnp.ones((2,3)), jnp.ones(3)])',
    text: 'TypeError: Cannot concatenate arrays with different numbers of dimensions: got (2, 3), (3,).',
    form: 'concatenate ranks',
    about: 'concatenation',
    says: '(2, 3), (3,) have different numbers of axes.',
  },
  {
    source: 'google/brax#39',
    text: 'UnfilteredStackTrace: ValueError: Incompatible shapes for broadcasting: ((1, 50, 32), (50, 32, 4))',
    form: 'shapes',
    shapes: [
      [1, 50, 32],
      [50, 32, 4],
    ],
  },
  {
    source: 'jax-ml/jax#705',
    text: 'TypeError: got inconsistent map dimension sizes: {64, 1, 10, 4}',
    form: 'mapped axes before 2020',
    about: 'mapped axes',
  },
  {
    source: 'jax-ml/jax#705 (Python 2)',
    text: '"got inconsistent map dimension sizes: set([10, 2])"',
    form: 'mapped axes before 2020',
    about: 'mapped axes',
  },
  {
    source: 'jax-ml/jax#3877',
    text: `ValueError: vmap got inconsistent sizes for array axes to be mapped:
arg 0 has shape () and axis None is to be mapped
arg 1 has shape (2,) and axis None is to be mapped
arg 2 has shape (7,) and axis 0 is to be mapped
arg 3 has shape (2,) and axis 0 is to be mapped
so
arg 2 has an axis to be mapped of size 7
arg 3 has an axis to be mapped of size 2`,
    form: 'mapped axes',
    about: 'mapped axes',
  },
  {
    source: 'jax-ml/jax#24406',
    text: `ValueError: vmap got inconsistent sizes for array axes to be mapped:
  * most axes (2 of them) had size 2, e.g. axis 0 of argument x1 of type float32[2];
  * one axis had size 1: axis 0 of argument x2 of type float32[2]`,
    form: 'mapped axes',
    about: 'mapped axes',
  },
  {
    source: 'jax-ml/jax#2189',
    text: '`TypeError: dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got [2 4] and [2 1].`',
    form: 'dot_general batch',
    about: 'matrix product',
  },
  {
    source: 'sarafridov/plenoxels#2',
    text: `Exception has occurred: TypeError
**mul got incompatible shapes for broadcasting: (800, 800, 1, 1536), (800, 1, 800, 3)**.`,
    form: 'operator',
    shapes: [
      [800, 800, 1, 1536],
      [800, 1, 800, 3],
    ],
  },
]
