/** A value with its name and its goal; the chart shows the goal as a mark. */
export type Bar = {
  readonly name: string
  readonly value: number
  readonly goal?: number
  /** True if the goal is a maximum. */
  readonly lessIsBetter?: boolean
}

/** Narrow enough for a phone: on a page 358 pixels wide, text of 13 pixels shrinks to 10. */
const WIDTH = 440
const MARGIN = 10
const ROW = 40
const TITLE = 34
/** The last third of the width contains the numbers. */
const PLOT = 280

const STYLE = `
  text { font: 13px sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
  .ground { fill: #ffffff } .reached { fill: #0969da } .missed { fill: #bc4c00 } .goal { fill: #1f2328 }
  @media (prefers-color-scheme: dark) {
    text, .goal { fill: #e6edf3 } .ground { fill: #0d1117 } .reached { fill: #4493f8 } .missed { fill: #f0883e }
  }`

/** Returns an SVG bar chart in the reader's color scheme, with each number to the right of its bar. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const height = TITLE + bars.length * ROW + MARGIN
  const most = Math.max(...bars.flatMap(({ value, goal = 0 }) => [value, goal]))
  return [
    `<svg role="img" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}">`,
    `<title>${escaped(title)}</title>\n<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${MARGIN}" y="22">${escaped(title)}</text>`,
    ...bars.map((bar, index) => rowOf(bar, TITLE + index * ROW, PLOT / most)),
    '</svg>\n',
  ].join('\n')
}

function rowOf(bar: Bar, top: number, scale: number): string {
  const { name, value, goal, lessIsBetter = false } = bar
  const isReached = goal === undefined || (lessIsBetter ? value <= goal : value >= goal)
  const number = value.toFixed(value < 10 ? 2 : 1)
  const [said, mark] =
    goal === undefined
      ? [number, '']
      : [
          `${number} (goal ${goal})`,
          `<rect class="goal" x="${at(MARGIN + goal * scale)}" y="${top + 19}" width="2" height="16"/>`,
        ]
  return `<text x="${MARGIN}" y="${top + 14}">${escaped(name)}</text>
<rect class="${isReached ? 'reached' : 'missed'}" x="${MARGIN}" y="${top + 21}" width="${at(value * scale)}" height="12"/>${mark}
<text x="${WIDTH - MARGIN}" y="${top + 32}" text-anchor="end">${said}</text>`
}

function at(pixels: number): string {
  return pixels.toFixed(1)
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
