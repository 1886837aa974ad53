// The palette as custom properties of a style sheet: light unless the system or the reader wants it dark.
import { type Palette, palettes } from './palette.ts'

const properties = ({ axes, ...colours }: Palette): string =>
  [
    ...Object.entries(colours).map(([name, colour]) => [name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`), colour]),
    ...axes.map((colour, i) => [`axis-${i + 1}`, colour]),
  ]
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('')

/** Classes that give text and lines the colour of an axis. */
const axisClasses = palettes.light.axes.map((_, i) => `.axis-${i + 1}{color:var(--axis-${i + 1})}`).join('\n')

export const paletteCss = (): string => `:root{color-scheme:light;${properties(palettes.light)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${properties(palettes.dark)}}}
:root[data-theme=dark]{color-scheme:dark;${properties(palettes.dark)}}
${axisClasses}
`

/** The class of an axis counted from the right. */
export const axisClass = (axis: number): string => `axis-${((-axis - 1) % palettes.light.axes.length) + 1}`
