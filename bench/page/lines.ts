import type { LineSeriesOption } from 'echarts/charts'
import type { GridComponentOption, LegendComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { Axis, Lines } from '../report.js'
import type { Colours } from './colours.js'

type Option = ComposeOption<LineSeriesOption | GridComponentOption | LegendComponentOption>

const SYMBOLS = ['circle', 'triangle', 'rect', 'diamond', 'emptyCircle']
const DASHES = 'path://M0,6h7v2h-7zM11,6h7v2h-7zM0,0z'
const FONT = 13
const PLOT = 200
const LEGEND_LINE = 22
const AXES = 52

export function heightOfLines({ lines }: Lines): number {
  return lines.length * LEGEND_LINE + PLOT + AXES
}

/** The legend stands above the plot, with one line for each name, so that a narrow screen cuts no name. */
export function lineOption({ lines, x, y }: Lines, colours: Colours, top: number): Option {
  const label = { color: colours.text, fontSize: FONT }
  return {
    color: [...colours.lines],
    legend: {
      top,
      left: 4,
      orient: 'vertical',
      itemGap: 6,
      padding: [0, 5],
      textStyle: label,
      data: lines.map(({ name, dashed = false }) => ({ name, ...(dashed && { icon: DASHES }) })),
    },
    grid: {
      top: top + lines.length * LEGEND_LINE + 26,
      bottom: AXES,
      left: 58,
      right: 22,
      outerBoundsMode: 'none',
    },
    xAxis: { ...axisOf(x, colours), nameLocation: 'middle', nameGap: 26 },
    yAxis: { ...axisOf(y, colours), nameTextStyle: { ...label, align: 'left', padding: [0, 0, 0, -50] } },
    series: lines.map(({ name, points, dashed = false }, index) => ({
      type: 'line',
      name,
      silent: true,
      symbol: dashed ? 'none' : (SYMBOLS[index % SYMBOLS.length] ?? 'circle'),
      symbolSize: 7,
      lineStyle: { width: 2, type: dashed ? 'dashed' : 'solid' },
      data: points.map((point) => [...point]),
    })),
  }
}

function axisOf({ name, scale = 'linear' }: Axis, { text, faint }: Colours) {
  const label = { color: text, fontSize: FONT }
  return {
    ...(scale === 'log' ? { type: 'log' as const } : { type: 'value' as const, min: 0 }),
    name,
    nameTextStyle: label,
    splitNumber: 4,
    axisLine: { show: true, lineStyle: { color: faint } },
    splitLine: { lineStyle: { color: faint, opacity: 0.5 } },
    axisLabel: { ...label, hideOverlap: true, formatter: short },
  }
}

/** 10,000,000 is 10 M: an axis has little room. */
function short(value: number): string {
  const [unit, size] = value >= 1e6 ? [' M', 1e6] : value >= 1e4 ? [' k', 1e3] : ['', 1]
  return `${String(Number((value / size).toPrecision(3)))}${unit}`
}
