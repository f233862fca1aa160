import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart } from '../report.js'
import { barOption, heightOfBars } from './bars.js'
import { COLOURS, SCHEMES, type Scheme } from './colours.js'
import { heightOfLines, lineOption } from './lines.js'

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, SVGRenderer])

/** Drawn for a narrow screen: 13 pixels become 10 on a page 358 pixels wide, as on a phone. */
const WIDTH = 440
const TITLE = 30
/** Library output for mouse pointers; its classes are numbered per process. */
const FOR_POINTERS = /<style >.*?<\/style>\n?| class="[^"]*"| ecmeta_\w+="[^"]*"| pointer-events="[^"]*"/gs

/** IDs are numbered per process too, but the same numbers must give the same bytes. */
const NUMBERED = /\bzr\d+-/g

/** The files of a chart, by name: light and dark. */
export function filesOfChart(chart: Chart): ReadonlyMap<string, string> {
  return new Map(SCHEMES.map((scheme) => [fileOf(chart, scheme), draw(chart, scheme)]))
}

/** Markdown that shows a chart in the colour scheme of the reader. */
export function pictureOf(chart: Chart, folder: string): string {
  const [light, dark] = SCHEMES.map((scheme) => `${folder}/${fileOf(chart, scheme)}`)
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${dark ?? ''}">`,
    `  <img src="${light ?? ''}" alt="${escaped(`${chart.title}. ${chart.about}`)}">`,
    '</picture>',
  ].join('\n')
}

/** An SVG without script and external resources, with a title and a description for screen readers. */
function draw(chart: Chart, scheme: Scheme): string {
  const colours = COLOURS[scheme]
  const height = TITLE + (chart.kind === 'bars' ? heightOfBars(chart) : heightOfLines(chart))
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  const option = chart.kind === 'bars' ? barOption(chart, colours, TITLE) : lineOption(chart, colours, TITLE)
  instance.setOption({ animation: false, backgroundColor: colours.ground, ...option })
  const drawn = instance.renderToSVGString({ useViewBox: true })
  instance.dispose()
  const heading = `<text x="10" y="21" font-size="15" font-weight="600" font-family="sans-serif" fill="${colours.text}">${escaped(chart.title)}</text>`
  return drawn
    .replaceAll(FOR_POINTERS, '')
    .replaceAll(NUMBERED, `${chart.name}-`)
    .replace(/^<svg ([^>]*)>/, (_, attributes: string) => `<svg role="img" ${attributes}>\n${spoken(chart)}`)
    .replace('</svg>', `${heading}\n</svg>\n`)
}

function spoken({ title, about }: Chart): string {
  return `<title>${escaped(title)}</title>\n<desc>${escaped(about)}</desc>`
}

function fileOf({ name }: Chart, scheme: Scheme): string {
  return `${name}.${scheme}.svg`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
