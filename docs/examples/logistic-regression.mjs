// Logistic regression: two clouds of points, told apart by a line. Data, model and gradients meet by broadcasting.
import { writeFileSync } from 'node:fs'
import { concat, fuse, matmul, normal, ones, random, valueAndGrad, zeros } from 'bcast'
import { lossCurve } from './curve.mjs'

// 400 points in two dimensions; the second half lies elsewhere: its column of ones meets both coordinates.
const draws = random(1)
const label = concat([zeros([200, 1]), ones([200, 1])])
const points = fuse((p, second) => p.add(second.mul(2.5)))(normal(draws, [400, 2]), label)

// Each column with mean 0 and deviation 1: the column's row of two meets all 400 rows.
const standardised = fuse((p) => {
  const centred = p.sub(p.mean({ axes: 0, keepdims: true }))
  return centred.div(centred.mul(centred).mean({ axes: 0, keepdims: true }).sqrt())
})(points)

// The cross entropy of the sigmoid, written so that nothing overflows: softplus(z) - z y.
const loss = (x, w, b, y) => {
  const z = matmul(x, w).add(b)
  return z.softplus().sub(z.mul(y)).mean()
}
const step = valueAndGrad(loss, { wrt: [1, 2] })
const descend = fuse((parameter, gradient) => parameter.sub(gradient.mul(0.5)))

let weights = normal(draws, [2, 1])
let bias = normal(draws, [1])
const losses = []
for (let i = 0; i <= 200; i++) {
  const { value, grads } = step(standardised, weights, bias, label)
  losses.push(value.item())
  if (i % 50 === 0) console.log(`step ${i}: loss ${value.item().toFixed(5)}`)
  ;[weights, bias] = [descend(weights, grads[0]), descend(bias, grads[1])]
}

const right = fuse((x, w, b, y) => matmul(x, w).add(b).greater(0).equal(y.greater(0)).cast('float32').mean())
console.log(`right: ${(100 * right(standardised, weights, bias, label).item()).toFixed(1)} %`)
const file = process.argv[2]
if (file !== undefined) writeFileSync(file, lossCurve('Logistic regression: cross entropy', losses))
