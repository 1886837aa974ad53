import type { Entry } from './entry.ts'

export const mlxMessages: readonly Entry[] = [
  {
    source: 'MLX 0.32.4: mx.ones((2,3)) + mx.ones((4,))',
    text: 'ValueError: [broadcast_shapes] Shapes (2,3) and (4) cannot be broadcast.',
    form: 'shapes',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'MLX 0.32.4: mx.ones((7,2,3)) @ mx.ones((6,3,5)): its batches',
    text: 'ValueError: [broadcast_shapes] Shapes (7) and (6) cannot be broadcast.',
    form: 'shapes',
    shapes: [[7], [6]],
  },
  {
    source: 'MLX 0.32.4: mx.broadcast_to(mx.ones((2,3)), (3,))',
    text: 'ValueError: Cannot broadcast array of shape (2,3) into shape (3).',
    form: 'broadcast_to',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'MLX 0.32.4: mx.ones((2,3)) @ mx.ones((4,5))',
    text: 'ValueError: [matmul] Last dimension of first input with shape (2,3) must match second to last dimension of second input with shape (4,5).',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'MLX 0.32.4: mx.concatenate([mx.ones((2,3)), mx.ones((2,4))])',
    text: 'ValueError: [concatenate] All the input array dimensions must match exactly except for the concatenation axis. However, the provided shapes are (2,3), (2,4), and the concatenation axis is 0.',
    form: 'concatenate',
    about: 'concatenation',
  },
  {
    source: 'MLX 0.32.4: mx.concatenate([mx.ones((2,3)), mx.ones((3,))])',
    text: 'ValueError: [concatenate] All the input arrays must have the same number of dimensions. However, got arrays with dimensions 2 and 1.',
    form: 'concatenate ranks',
    about: 'concatenation',
  },
  {
    source: 'MLX 0.32.4: mx.stack([mx.ones((3,)), mx.ones((4,))])',
    text: 'ValueError: [stack] All arrays must have the same shape',
    form: 'stack',
    about: 'equal shapes',
  },
  {
    source: 'MLX 0.32.4: mx.reshape(mx.ones((6,)), (4,))',
    text: 'ValueError: [reshape] Cannot reshape array of size 6 into shape (4).',
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'MLX 0.32.4: mx.vmap(lambda a, b: a + b)(mx.ones((2,3)), mx.ones((4,3)))',
    text: 'ValueError: [vmap] Inconsistent axis sizes: 2 and 4.',
    form: 'vmap',
    about: 'mapped axes',
  },
  {
    source: 'MLX 0.32.4: mx.einsum("ij,jk->ik", mx.ones((2,3)), mx.ones((4,5)))',
    text: 'ValueError: [einsum] Cannot broadcast dimension 0 of input 1 with shape (4,5) to size 3.',
    form: 'einsum',
    sizes: [4, 3],
  },
  {
    source: 'MLX 0.32.4: nn.losses.mse_loss(mx.ones((32,)), mx.ones((32,1)))',
    text: 'ValueError: Predictions shape (32,) does not match targets shape (32, 1).',
    form: 'loss',
    shapes: [[32], [32, 1]],
    rule: 'none',
  },
  {
    source: 'exo-explore/exo#120',
    text: ` await self.inference_engine.infer_tensor(request_id, shard, tensor, inference_state=inference_state)

ValueError: Shapes (1,8,4,60,119) and (60,60) cannot be broadcast`,
    form: 'shapes',
    shapes: [
      [1, 8, 4, 60, 119],
      [60, 60],
    ],
  },
  {
    source: 'j-csc/mlx_bark#7',
    text: `    in_buffer[0, rel_start_fill_idx:, nn] = codebook_preds
    ~~~~~~~~~^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: Cannot broadcast array of shape (1024) into shape (1,1024,1).`,
    form: 'broadcast_to',
    shapes: [[1, 1024, 1], [1024]],
    rule: 'unidirectional',
  },
  {
    source: 'lmstudio-ai/mlx-engine#127',
    text: '[broadcast_shapes] Shapes (1,8,512,32) and (1,8,0,32) cannot be broadcast',
    form: 'shapes',
    shapes: [
      [1, 8, 512, 32],
      [1, 8, 0, 32],
    ],
  },
  {
    source: 'ml-explore/mlx-swift-lm#191',
    text: `MLX/ErrorHandler.swift:343: Fatal error: [broadcast_shapes] Shapes (20) and (300) cannot be broadcast.
at .build/checkouts/mlx-swift/Source/Cmlx/mlx-c/mlx/c/ops.cpp:3952`,
    form: 'shapes',
    shapes: [[20], [300]],
  },
  {
    source: 'Blaizzy/mlx-vlm#251',
    text: 'ValueError: [broadcast_shapes] Shapes (1,300) and (1,32,1,301) cannot be broadcast.',
    form: 'shapes',
    shapes: [
      [1, 300],
      [1, 32, 1, 301],
    ],
  },
  {
    source: 'Blaizzy/mlx-vlm#194',
    text: 'MLX error: Shapes (1,576,768) and (1,1024,768) cannot be broadcast. at /Users/user/Library/Developer/Xcode/DerivedData/mlx-swift-examples-djkwqspwvzjyvodqeyxeahqxpsse/SourcePackages/checkouts/mlx-swift/Source/Cmlx/include/mlx/c/ops.cpp:31',
    form: 'shapes',
    shapes: [
      [1, 576, 768],
      [1, 1024, 768],
    ],
  },
  {
    source: 'waybarrios/vllm-mlx#386',
    text: 'ERROR:vllm_mlx.mllm_batch_generator:Failed to process batch of 1 prompts: ValueError: [broadcast_shapes] Shapes (1,16,28,64) and (1,1,11,64) cannot be broadcast.',
    form: 'shapes',
    shapes: [
      [1, 16, 28, 64],
      [1, 1, 11, 64],
    ],
  },
  {
    source: 'waybarrios/vllm-mlx#39',
    text: `ERROR:vllm_mlx.mllm_scheduler:Error in MLLM process loop: Cannot broadcast array of shape (2,8,1,128) into shape (1,8,1,128).
ERROR:vllm_mlx.mllm_scheduler:Error in MLLM process loop: Cannot broadcast array of shape (2,8,1,128) into shape (1,8,1,128).`,
    form: 'broadcast_to',
    shapes: [
      [1, 8, 1, 128],
      [2, 8, 1, 128],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'ml-explore/mlx-swift-lm#168',
    text: '`Fatal error: [broadcast_shapes] Shapes (20) and (32) cannot be broadcast`',
    form: 'shapes',
    shapes: [[20], [32]],
  },
]
