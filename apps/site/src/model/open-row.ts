// A broadcast of the model as the question of the page, as if its shapes had been typed.

import { asked } from '../state/state.ts'
import { update } from '../state/store.ts'
import { optionsOf, shapesText } from '../state/typed.ts'
import type { Row } from './report.ts'

export function openRow({ asked: { shapes, rule } }: Row, node: number): void {
  update((now) => ({
    ...asked(now, { text: shapesText(shapes), rule: optionsOf(rule), onto: 0 }),
    ...{ view: 'shapes', node },
  }))
  document.getElementById('field')?.scrollIntoView({ block: 'nearest' })
}
