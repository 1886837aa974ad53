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
]
