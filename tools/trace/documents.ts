// The five documents that bcast implements, in the order of the table.
import type { Document } from './clause.ts'
import { ngraph } from './clauses/ngraph.ts'
import { onnx } from './clauses/onnx.ts'
import { openvino } from './clauses/openvino.ts'
import { sonnx1 } from './clauses/sonnx1.ts'
import { sonnx2 } from './clauses/sonnx2.ts'

export const documents: readonly Document[] = [onnx, sonnx1, sonnx2, ngraph, openvino]
