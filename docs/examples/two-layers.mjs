// A network of two layers learns which points of a square lie in opposite quarters, which no line tells apart.
import { writeFileSync } from 'node:fs'
import { fuse, matmul, normal, random, uniform, valueAndGrad, zeros } from 'bcast'
import { lossCurve } from './curve.mjs'

const draws = random(1)
const points = uniform(draws, [256, 2], { low: -1, high: 1 })
const label = fuse((p) => p.prod({ axes: 1, keepdims: true }).sign())(points)

// Rows of points times columns of weights; a row of biases goes onto every row of a layer.
const network = (x, w1, b1, w2, b2) => matmul(matmul(x, w1).add(b1).tanh(), w2).add(b2).tanh()
const loss = (x, w1, b1, w2, b2, y) => network(x, w1, b1, w2, b2).squaredDifference(y).mean()

const step = valueAndGrad(loss, { wrt: [1, 2, 3, 4] })
// Descent with momentum: one fused call for what is remembered, one for the parameter.
const remember = fuse((velocity, gradient) => velocity.mul(0.9).add(gradient))
const descend = fuse((parameter, velocity) => parameter.sub(velocity.mul(0.05)))

let parameters = [[2, 16], [16], [16, 1], [1]].map((shape) => normal(draws, shape))
let velocities = parameters.map(({ shape }) => zeros(shape))
const losses = []
for (let i = 0; i <= 600; i++) {
  const { value, grads } = step(points, ...parameters, label)
  losses.push(value.item())
  if (i % 150 === 0) console.log(`step ${i}: loss ${value.item().toFixed(5)}`)
  velocities = velocities.map((each, k) => remember(each, grads[k]))
  parameters = parameters.map((each, k) => descend(each, velocities[k]))
}

const right = fuse((x, w1, b1, w2, b2, y) => network(x, w1, b1, w2, b2).mul(y).greater(0).cast('float32').mean())
console.log(`right: ${(100 * right(points, ...parameters, label).item()).toFixed(1)} %`)
const file = process.argv[2]
if (file !== undefined) writeFileSync(file, lossCurve('A network of two layers: mean squared error', losses))
