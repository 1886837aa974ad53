// `import { inspect } from 'bcast/debug'`: what a fused expression becomes, for whoever wonders why it is fast or slow.
// Apart from the library, because programs that compute do not need it.
export {
  type InspectedInput,
  type InspectedKernel,
  type InspectedOperand,
  type InspectedStep,
  type Inspection,
  inspect,
} from './debug/inspect.ts'
export { kernelText } from './debug/wat.ts'
