// The colours of pictures and page, in light and dark. One colour for each axis counted from the right, the same
// wherever the axis is shown; a test holds their contrast.

export type Theme = 'light' | 'dark'

export interface Palette {
  readonly background: string
  /** Behind what stands in the page as a thing of its own. */
  readonly surface: string
  readonly text: string
  /** Text that says less. */
  readonly quiet: string
  readonly line: string
  /** An element that is there. */
  readonly cell: string
  readonly edge: string
  /** An element that is read again where it is not. */
  readonly ghost: string
  readonly ghostEdge: string
  readonly result: string
  readonly resultEdge: string
  /** What is chosen, and what can be. */
  readonly accent: string
  readonly onAccent: string
  /** Elements that the chosen one is made of. */
  readonly lit: string
  readonly error: string
  readonly errorSurface: string
  readonly ok: string
  readonly okSurface: string
  readonly open: string
  readonly openSurface: string
  /** From the last axis to the first, and round again. */
  readonly axes: readonly string[]
}

export const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    background: '#ffffff',
    surface: '#f6f7f9',
    text: '#16181d',
    quiet: '#565d6b',
    line: '#d5d9e0',
    cell: '#e3e7ee',
    edge: '#6b7484',
    ghost: '#f6f7fa',
    ghostEdge: '#7d8694',
    result: '#dbe7ff',
    resultEdge: '#4f74c9',
    accent: '#1d4ed8',
    onAccent: '#ffffff',
    lit: '#ffd24a',
    error: '#b4151c',
    errorSurface: '#fdf0f0',
    ok: '#12703f',
    okSurface: '#eff8f2',
    open: '#8a5200',
    openSurface: '#fdf6e9',
    axes: ['#1d4ed8', '#b04a05', '#04724f', '#8127c9', '#b8145b', '#0b6b85'],
  },
  dark: {
    background: '#11141a',
    surface: '#1a1f28',
    text: '#e8ebf0',
    quiet: '#a3acba',
    line: '#343c49',
    cell: '#333c4b',
    edge: '#8792a3',
    ghost: '#171b22',
    ghostEdge: '#6f7a8b',
    result: '#1e3563',
    resultEdge: '#7ba3f5',
    accent: '#8ab4ff',
    onAccent: '#0b1220',
    lit: '#7a5d00',
    error: '#ff9b97',
    errorSurface: '#2a1719',
    ok: '#74d39c',
    okSurface: '#14241b',
    open: '#f0b85c',
    openSurface: '#292013',
    axes: ['#8ab4ff', '#f2ac68', '#63d3a6', '#cfa5ff', '#ff9cc3', '#6dd3e6'],
  },
}

/** The colour of an axis counted from the right: -1 is the last. */
export const axisColour = ({ axes }: Palette, axis: number): string => axes[(-axis - 1) % axes.length]!
