// The census of the real models, which the documentation keeps: what they broadcast, as tables and as a chart.
import { census, censusMarkdown, censusSvg } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { realModels } from '../../testing/models/real-runs.ts'

const file = (name: string): URL => new URL(`../../docs/${name}`, import.meta.url)

/** The documents with their texts as they should be. */
export function censusDocuments(): readonly { readonly file: URL; readonly text: string }[] {
  const result = census(realModels.map((each) => ({ name: each.name, model: () => readModelFile(each.file).model })))
  const chart = '![Stretched operands by operator and pattern](census.svg)'
  const [title, ...rest] = censusMarkdown(result).split('\n\n')
  const remark = 'Written by `npm run models`: the census of the models that the tests run.'
  return [
    { file: file('census.md'), text: [title, remark, chart, ...rest].join('\n\n') },
    { file: file('census.svg'), text: censusSvg(result) },
  ]
}
