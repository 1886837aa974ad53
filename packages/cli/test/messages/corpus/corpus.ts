import type { Framework } from '../../../src/messages/form.ts'
import type { Entry } from './entry.ts'
import { jaxMessages } from './jax.ts'
import { numpyMessages } from './numpy.ts'
import { onnxruntimeMessages } from './onnxruntime.ts'
import { openvinoMessages } from './openvino.ts'
import { tensorflowMessages } from './tensorflow.ts'
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
}
