import type { Framework } from '../../../src/messages/form.ts'
import { candleMessages } from './candle.ts'
import { coremlMessages } from './coreml.ts'
import type { Entry } from './entry.ts'
import { jaxMessages } from './jax.ts'
import { juliaMessages } from './julia.ts'
import { matlabMessages } from './matlab.ts'
import { mlxMessages } from './mlx.ts'
import { numpyMessages } from './numpy.ts'
import { octaveMessages } from './octave.ts'
import { onnxruntimeMessages } from './onnxruntime.ts'
import { openvinoMessages } from './openvino.ts'
import { paddleMessages } from './paddle.ts'
import { tensorflowMessages } from './tensorflow.ts'
import { tensorrtMessages } from './tensorrt.ts'
import { tfjsMessages } from './tfjs.ts'
import { torchMessages } from './torch.ts'

/** Every message, by framework. */
export const corpus: Readonly<Record<Framework, readonly Entry[]>> = {
  numpy: numpyMessages,
  torch: torchMessages,
  tensorflow: tensorflowMessages,
  tfjs: tfjsMessages,
  jax: jaxMessages,
  onnxruntime: onnxruntimeMessages,
  openvino: openvinoMessages,
  paddle: paddleMessages,
  tensorrt: tensorrtMessages,
  mlx: mlxMessages,
  candle: candleMessages,
  coreml: coremlMessages,
  matlab: matlabMessages,
  octave: octaveMessages,
  julia: juliaMessages,
}
