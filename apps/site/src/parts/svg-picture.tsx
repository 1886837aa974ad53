// A picture in the page: the plain data of picture/ as elements.
import { h, type VNode } from 'preact'
import type { SvgNode } from '../picture/svg.ts'

export const pictureNode = ({ tag, attributes, children }: SvgNode): VNode =>
  h(tag, attributes, ...children.map((child) => (typeof child === 'string' ? child : pictureNode(child))))
