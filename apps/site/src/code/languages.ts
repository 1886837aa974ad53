// The plan as code, one function for each language: nothing but its steps, in the words of that language.
import type { Shape } from 'bcast'
import { type CodeOperand, type CodePlan, type CodeStep, codeOperators, stepsOf } from './plan.ts'

export interface Language {
  readonly name: string
  readonly print: (plan: CodePlan) => string
}

const list = (sizes: readonly number[]): string => sizes.join(', ')

/** A tuple as Python writes it: `(3,)` has a comma. */
const tuple = (sizes: readonly number[]): string => (sizes.length === 1 ? `(${sizes[0]},)` : `(${list(sizes)})`)

const joined = ({ operands, operator }: CodePlan): string =>
  operands.map(({ variable }) => variable).join(` ${codeOperators[operator].sign} `)

type StepText = (variable: string, step: CodeStep) => string

const python =
  (head: readonly string[], made: (shape: Shape) => string, step: StepText): Language['print'] =>
  (plan) =>
    [
      ...head,
      '',
      ...plan.operands.map(({ variable, shape }) => `${variable} = ${made(shape)}`),
      ...plan.operands.flatMap((operand) => stepsOf(operand).map((each) => step(operand.variable, each))),
      `z = ${joined(plan)}`,
      `assert tuple(z.shape) == ${tuple(plan.result)}`,
    ].join('\n')

const arrayStep: StepText = (variable, step) =>
  step.kind === 'reshape'
    ? `${variable} = ${variable}.reshape(${tuple(step.shape)})`
    : `${variable} = ${variable}.transpose(${tuple(step.order)})`

const torchStep: StepText = (variable, step) =>
  step.kind === 'reshape'
    ? `${variable} = ${variable}.reshape(${tuple(step.shape)})`
    : `${variable} = ${variable}.permute(${tuple(step.order)})`

/** bcast has every rule, so only what the fix changes is a step. */
function bcast({ operands, rule, operator, result }: CodePlan): string {
  const name = operands.length === 1 ? 'identity' : operands.length === 2 ? operator : 'sum'
  const options = Object.entries(rule.options as object).map(([option, value]) => `${option}: ${JSON.stringify(value)}`)
  const isPlain = [
    'numpy',
    'unidirectional',
    'bidirectional',
    'sonnx',
    'none',
    'openvinoPrelu',
    'matmulBatch',
  ].includes(rule.name)
  const broadcast = isPlain ? rule.name : `${rule.name}(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`
  const isNumpy = rule.name === 'numpy' || operands.length === 1
  const step = ({ variable, fix }: CodeOperand): string =>
    fix.reduce(
      (code, each) =>
        each.kind === 'reshape' ? `${code}.reshape(${list(each.shape)})` : `${code}.transpose(${list(each.order)})`,
      variable,
    )
  const imports = [name, 'ones', ...(isNumpy ? [] : [rule.name])].toSorted()
  return [
    `import { ${imports.join(', ')} } from 'bcast'`,
    '',
    ...operands.map(({ variable, shape }) => `const ${variable} = ones([${list(shape)}])`),
    `const z = ${name}(${operands.map(step).join(', ')}${isNumpy ? '' : `, { broadcast: ${broadcast} }`})`,
    `z.shape // [${list(result)}]`,
  ].join('\n')
}

const onnxType = (shape: Shape): string => (shape.length === 0 ? 'float' : `float[${list(shape)}]`)

/** A graph in ONNX's own text form, as onnx.parser reads it: every broadcast is an Expand. */
function onnx({ operands, operator, result }: CodePlan): string {
  const constants: string[] = []
  const nodes: string[] = []
  const ints = (name: string, sizes: readonly number[]): string => {
    constants.push(`  ${name} = Constant <value = int64[${sizes.length}] {${list(sizes)}}> ()`)
    return name
  }
  const target = ints('target', result)
  const full = operands.map((operand) => {
    const { variable } = operand
    let now = variable
    stepsOf(operand).forEach((step, i) => {
      const next = `${variable}${i + 1}`
      nodes.push(
        step.kind === 'reshape'
          ? `  ${next} = Reshape (${now}, ${ints(`${next}_shape`, step.shape)})`
          : `  ${next} = Transpose <perm = [${list(step.order)}]> (${now})`,
      )
      now = next
    })
    nodes.push(`  ${variable}_full = Expand (${now}, ${target})`)
    return `${variable}_full`
  })
  const name = full.length === 1 ? 'Identity' : full.length === 2 ? codeOperators[operator].onnx : 'Sum'
  return [
    '<ir_version: 8, opset_import: ["": 13]>',
    `broadcast (${operands.map(({ variable, shape }) => `${onnxType(shape)} ${variable}`).join(', ')})`,
    `  => (${onnxType(result)} z)`,
    '{',
    ...constants,
    ...nodes,
    `  z = ${name} (${full.join(', ')})`,
    '}',
  ].join('\n')
}

/** A list without numbers would be one of floats. */
const openvinoInts = (sizes: readonly number[]): string => (sizes.length === 0 ? 'np.int64([])' : `[${list(sizes)}]`)

function openvino({ operands, operator, result }: CodePlan): string {
  const lines = operands.flatMap((operand) => {
    const { variable } = operand
    return [
      ...stepsOf(operand).map((step) =>
        step.kind === 'reshape'
          ? `${variable} = ops.reshape(${variable}, ${openvinoInts(step.shape)}, False)`
          : `${variable} = ops.transpose(${variable}, [${list(step.order)}])`,
      ),
      `${variable} = ops.broadcast(${variable}, ${openvinoInts(result)})`,
    ]
  })
  const z = operands
    .map(({ variable }) => variable)
    .reduce((left, right) => `ops.${codeOperators[operator].openvino}(${left}, ${right})`)
  return [
    'import numpy as np',
    'import openvino.opset13 as ops',
    '',
    ...operands.map(({ variable, shape }) => `${variable} = ops.parameter([${list(shape)}], np.float32)`),
    ...lines,
    `z = ${z}`,
    `assert list(z.output(0).shape) == [${list(result)}]`,
  ].join('\n')
}

export const languages: readonly Language[] = [
  { name: 'bcast', print: bcast },
  {
    name: 'NumPy',
    print: python(['import numpy as np'], (shape) => `np.ones(${tuple(shape)}, np.float32)`, arrayStep),
  },
  { name: 'PyTorch', print: python(['import torch'], (shape) => `torch.ones(${tuple(shape)})`, torchStep) },
  { name: 'JAX', print: python(['import jax.numpy as jnp'], (shape) => `jnp.ones(${tuple(shape)})`, arrayStep) },
  { name: 'ONNX (Expand)', print: onnx },
  { name: 'OpenVINO', print: openvino },
]
