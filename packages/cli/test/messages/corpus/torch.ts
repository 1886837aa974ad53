import type { Entry } from './entry.ts'

export const torchMessages: readonly Entry[] = [
  {
    source: 'https://github.com/michael-wzhu/PromptCBLUE/issues/11',
    text: `    avg_hidden_states = torch.mean((last_hidden_states + first_hidden_states), dim=1)
RuntimeError: The size of tensor a (130528) must match the size of tensor b (4096) at non-singleton dimension 2`,
    form: 'sizes',
    sizes: [130528, 4096],
    axis: 2,
  },
  {
    source: 'https://github.com/sujoyp/wtalc-pytorch/issues/17',
    text: 'RuntimeError: The size of tensor a (101) must match the size of tensor b (20) at non-singleton dimension 1',
    form: 'sizes',
    sizes: [101, 20],
    axis: 1,
  },
  {
    source: 'https://github.com/GAD-cell/vlm-grpo/issues/9 (torch.compile: a size by its symbol)',
    text: 'TorchRuntimeError: The size of tensor a (1280) must match the size of tensor b (s4) at non-singleton dimension 1)',
    form: 'sizes',
    sizes: [1280, 's4'],
    axis: 1,
    verdict: 'conditional',
  },
  {
    source: 'https://github.com/jbohnslav/deepethogram/issues/123',
    text: 'RuntimeError: The expanded size of the tensor (5) must match the existing size (4) at non-singleton dimension 1.  Target sizes: [32, 5].  Tensor sizes: [4]',
    form: 'expand',
    shapes: [[32, 5], [4]],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/kyutai-labs/pocket-tts/issues/65 (framed by rich)',
    text: `│    17 │   return valid[0], valid[1]                                                                                  │
╰──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
RuntimeError: The expanded size of the tensor (1000) must match the existing size (1289) at non-singleton dimension 1.
Target sizes: [1, 1000, 16, 64].  Tensor sizes: [1289, 16, 64]`,
    form: 'expand',
    shapes: [
      [1, 1000, 16, 64],
      [1289, 16, 64],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/microsoft/singleshotpose/issues/33 (before 1.0)',
    text: 'RuntimeError: The expanded size of the tensor (3) must match the existing size (864) at non-singleton dimension 3',
    form: 'expand sizes',
    sizes: [3, 864],
    axis: 3,
  },
  {
    source: 'https://github.com/meta-pytorch/opacus/issues/607 (traced by dynamo)',
    text: `Failed running call_function <built-in function eq>(*(Parameter(FakeTensor(..., device='cuda:0', size=(10, 512), dtype=torch.bfloat16,
           requires_grad=True)), Parameter(FakeTensor(..., device='cuda:0', size=(10,), dtype=torch.bfloat16,
           requires_grad=True))), **{}):
Attempting to broadcast a dimension of length 10 at -1! Mismatching argument at index 1 had torch.Size([10]); but expected shape should be broadcastable to [10, 512]`,
    form: 'traced',
    shapes: [[10, 512], [10]],
    where: 'A is what the arguments before give, B argument 1',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(2,3) + torch.ones(2,4)',
    text: 'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1',
    form: 'sizes',
    sizes: [3, 4],
    axis: 1,
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(7,2,3) @ torch.ones(6,3,5)',
    text: 'RuntimeError: The size of tensor a (7) must match the size of tensor b (6) at non-singleton dimension 0',
    form: 'sizes',
    sizes: [7, 6],
    axis: 0,
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(3).expand(-1,4)',
    text: 'RuntimeError: The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [-1, 4].  Tensor sizes: [2, 3]',
    form: 'expand',
    shapes: [
      [null, 4],
      [2, 3],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(2,3).expand(3)',
    text: 'RuntimeError: expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor (2)',
    form: 'expand rank',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'PyTorch 2.15.0+cu132: a = torch.ones(3); a += torch.ones(2,3)',
    text: "RuntimeError: output with shape [3] doesn't match the broadcast shape [2, 3]",
    form: 'output',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/ksalsw1996/pytorch_DAE/issues/2',
    text: "RuntimeError: output with shape [1, 28, 28] doesn't match the broadcast shape [3, 28, 28]",
    form: 'output',
    shapes: [
      [1, 28, 28],
      [3, 28, 28],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/nmhkahn/CARN-pytorch/issues/56',
    text: "RuntimeError: output with shape [] doesn't match the broadcast shape [3, 189, 275]",
    form: 'output',
    shapes: [[], [3, 189, 275]],
    rule: 'unidirectional',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.broadcast_shapes((2,3),(4,))',
    text: 'RuntimeError: Attempting to broadcast a dimension of length 4 at -1! Mismatching argument at index 1 had (4,); but expected shape should be broadcastable to [2, 3]',
    form: 'traced',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(2, 3, device="meta") + torch.ones(4, device="meta")',
    text: 'RuntimeError: Attempting to broadcast a dimension of length 4 at -1! Mismatching argument at index 1 had torch.Size([4]); but expected shape should be broadcastable to [2, 3]',
    form: 'traced',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'https://github.com/pku-liang/HASCO/issues/8',
    text: 'RuntimeError: Shape mismatch: objects cannot be broadcast to a single shape',
    form: 'broadcast_shapes',
  },
  {
    source: 'https://github.com/MhLiao/MaskTextSpotter/issues/40',
    text: 'RuntimeError: shape mismatch: value tensor of shape [52, 256, 16, 64] cannot be broadcast to indexing result of shape [52, 256, 16, 16]',
    form: 'indexed assignment',
    shapes: [
      [52, 256, 16, 16],
      [52, 256, 16, 64],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(5,5)[[0,1,2],[0,1]]',
    text: 'IndexError: shape mismatch: indexing tensors could not be broadcast together with shapes [3], [2]',
    form: 'index tensors',
    shapes: [[3], [2]],
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.nn.Linear(3,4)(torch.ones(2,5))',
    text: 'RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (2x5 and 3x4)',
    form: 'mm',
    about: 'matrix product',
  },
  {
    source: 'https://github.com/purbayankar/HybridSN-pytorch/issues/3',
    text: 'RuntimeError: size mismatch, m1: [2 x 64], m2: [18496 x 256] at C:/w/1/s/tmp_conda_3.7_055457/conda/conda-bld/pytorch_1565416617654/work/aten/src\\THC/generic/THCTensorMathBlas.cu:273',
    form: 'mm before 1.8',
    about: 'matrix product',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.bmm(torch.ones(7,2,3), torch.ones(7,4,5))',
    text: 'RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [7, 3] but got: [7, 4].',
    form: 'bmm',
    about: 'matrix product',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.cat([torch.ones(2,3), torch.ones(2,4)])',
    text: 'RuntimeError: Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list.',
    form: 'cat',
    about: 'concatenation',
  },
  {
    source: 'PyTorch 2.15.0+cu132: torch.ones(6).reshape(4)',
    text: "RuntimeError: shape '[4]' is invalid for input of size 6",
    form: 'reshape',
    about: 'reshape',
  },
]
