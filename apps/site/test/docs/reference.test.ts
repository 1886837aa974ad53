// The reference names everything that a program can import, says how it is called, and its examples open in the
// playground with what they compute.
import * as onnx from '@bcast/onnx'
import * as onnxNode from '@bcast/onnx/node'
import * as spec from '@bcast/spec'
import * as bcast from 'bcast'
import * as npy from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import { declarationOf, typeSeenFrom } from '../../docs/api/declarations.ts'
import { docComment } from '../../docs/api/doc-comment.ts'
import { apiPages } from '../../docs/api/entries.ts'
import { exampleState } from '../../docs/api/example-link.ts'
import { writeApi } from '../../docs/api/write.ts'
import { recognise } from '../../src/recognise/recognise.ts'
import { type Answered, answerShapes } from '../../src/state/question.ts'
import { compute } from '../../src/values/compute.ts'

const modules = { bcast, 'bcast/npy': npy, '@bcast/onnx': onnx, '@bcast/onnx/node': onnxNode, '@bcast/spec': spec }

describe.each(Object.entries(modules))('%s', (entry, module) => {
  it('has every name that it exports', () => {
    const named = new Set(
      apiPages.filter((page) => page.entry === entry).flatMap(({ names }) => names.map(({ name }) => name)),
    )
    expect(Object.keys(module).filter((name) => !named.has(name))).toEqual([])
  })
})

const named = (name: string): (typeof apiPages)[number]['names'][number] =>
  apiPages
    .filter(({ entry }) => entry === 'bcast')
    .flatMap(({ names }) => names)
    .find((each) => each.name === name)!

describe('declarations', () => {
  it('of functions have every way of calling, and no body', () => {
    const { kind, text, calls } = declarationOf(named('fuse'))
    expect([kind, calls]).toEqual(['function', ['fuse(fn)', 'fuse(fn, options)']])
    expect(text.match(/function fuse/g)).toHaveLength(2)
    expect(text).not.toContain('{\n')
  })

  it('of classes have what a caller may use', () => {
    const { text, members } = declarationOf(named('Tensor'))
    expect(text).toMatch(/^class Tensor<out D extends DType = DType/)
    const names = members.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['shape', 'layout', 'readOnly', 'reshape', 'dispose']))
    expect(names).not.toContain('storage')
    expect(names).not.toContain('elements')
  })

  it('of constants have their types, which may be nobody else’s', () => {
    const { text, typeName } = declarationOf(named('add'))
    expect([text, typeName]).toEqual(['const add: Binary', 'Binary'])
    expect(typeSeenFrom(named('add').file, 'Binary')?.text).toMatch(/^interface Binary/)
    expect(declarationOf(named('grad')).text).toBe('const grad: Grad')
  })
})

describe('pages', () => {
  it('say how operators are called, and link the types that they name', () => {
    const { html } = writeApi(apiPages.find(({ file }) => file === 'api-bcast-operators.html')!)
    expect(html).toContain('<code>clip(x, min?, max?, options?)</code>')
    expect(html).toContain('<code>sum(...operands, options?)</code>')
    expect(html).toContain('<dt>ONNX</dt><dd>Clip, from opset 1</dd>')
    expect(html).toContain('<a href="api-bcast-tensors.html#Tensor">Tensor</a>')
  })
})

describe('examples in the playground', () => {
  const examples = apiPages
    .filter(({ entry }) => entry === 'bcast')
    .flatMap(({ names }) => names.flatMap(({ doc }) => docComment(doc).examples))
    .flatMap((example) => {
      const state = exampleState(example)
      return state?.view === 'values' ? [[example.split('\n')[0]!, state] as const] : []
    })

  it('are many', () => {
    expect(examples.length).toBeGreaterThan(40)
  })

  it.each(examples)('%s', (line, state) => {
    const found = recognise(state.text)
    const { question } = answerShapes(found.kind === 'shapes' ? found.shapes : [], state) as Answered
    const operator = bcast.operators[state.operator as bcast.OperatorName]
    const { result, problems } = compute({
      ...{ shapes: question.shapes as bcast.Shape[], rule: question.rule, operator },
      ...{ dtype: state.dtype as bcast.DType, typed: state.values },
    })
    const [expression] = line.split(' // ')
    const said = new Function(...Object.keys(bcast), `return (${expression})`)(...Object.values(bcast))
    expect(problems).toEqual([])
    expect(result!.toArray()).toEqual(said)
  })
})
