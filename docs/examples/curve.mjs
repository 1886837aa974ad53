// A loss curve as a picture: a logarithmic axis of losses over steps.
const [WIDTH, HEIGHT, LEFT, TOP] = [640, 280, 64, 40]
const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}.paper{fill:#fff}.grid{stroke:#d1d9e0}.loss{fill:none;stroke:#2f6fc0;stroke-width:2}
@media (prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#e6edf3}.grid{stroke:#30363d}.loss{stroke:#4f94e0}}`

/** The picture of losses, one for each step. */
export function lossCurve(title, losses) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...losses))), Math.ceil(Math.log10(Math.max(...losses)))]
  const [right, bottom] = [WIDTH - 20, HEIGHT - 40]
  const x = (step) => LEFT + ((right - LEFT) * step) / (losses.length - 1)
  const y = (loss) => TOP + ((bottom - TOP) * (high - Math.log10(loss))) / (high - low)
  const lines = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).map(
    (at) =>
      `<line x1="${LEFT}" x2="${right}" y1="${y(at).toFixed(1)}" y2="${y(at).toFixed(1)}" class="grid"/>` +
      `<text x="${LEFT - 8}" y="${(y(at) + 4).toFixed(1)}" text-anchor="end">${Number(at.toPrecision(1))}</text>`,
  )
  const points = losses.map((loss, step) => `${x(step).toFixed(1)},${y(loss).toFixed(1)}`).join(' ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<rect width="${WIDTH}" height="${HEIGHT}" class="paper"/>
<text x="${LEFT}" y="24">${title}</text>
${lines.join('\n')}
<polyline points="${points}" class="loss"/>
<text x="${LEFT}" y="${HEIGHT - 14}">step 0</text><text x="${right}" y="${HEIGHT - 14}" text-anchor="end">step ${losses.length - 1}</text>
</svg>
`
}
