import type { BarSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type { GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { Bar, Bars } from '../report.js'
import type { Colours } from './colours.js'
import { numberOf } from './text.js'

type Option = ComposeOption<BarSeriesOption | ScatterSeriesOption | GridComponentOption>

/** A bar with its name above it. */
const ROW = 40
const MARGIN = { top: 8, bottom: 12, left: 10, right: 12 }
const FONT = 13

export function heightOfBars({ bars }: Bars): number {
  return MARGIN.top + bars.length * ROW + MARGIN.bottom
}

/** Names above the bars, numbers to their right, and a mark at the goal. */
export function barOption({ bars, unit }: Bars, colours: Colours, top: number): Option {
  const names = bars.map(({ name }) => name)
  // The last third is the column of the numbers. ECharts takes no end of an axis that misses a round number by a rounding error.
  const right = Number(
    (1.5 * Math.max(...bars.flatMap(({ value, goal }) => [value, goal ?? 0]))).toPrecision(6),
  )
  return {
    grid: { ...MARGIN, top: MARGIN.top + top, outerBoundsMode: 'none' },
    xAxis: { type: 'value', min: 0, max: right, show: false },
    yAxis: { ...namesAboveBars(colours), data: names },
    series: [
      {
        type: 'bar',
        silent: true,
        barWidth: 12,
        barCategoryGap: 0,
        data: bars.map((bar, row) => ({
          value: [bar.value, row],
          itemStyle: { color: isReachedBar(bar) ? colours.reached : colours.missed },
        })),
      },
      {
        type: 'scatter',
        silent: true,
        symbol: 'rect',
        symbolSize: [2, 16],
        symbolOffset: [0, 1],
        itemStyle: { color: colours.text, opacity: 1 },
        z: 5,
        data: bars.flatMap(({ goal }, row) => (goal === undefined ? [] : [[goal, row]])),
      },
      {
        type: 'scatter',
        silent: true,
        symbolSize: 0,
        itemStyle: { opacity: 1 },
        label: { show: true, position: 'left', distance: 0, color: colours.text, fontSize: FONT },
        data: bars.map((bar, row) => ({
          value: [right, row],
          label: { formatter: labelOf(bar, unit), color: colours.text },
        })),
      },
    ],
  }
}

function namesAboveBars({ text }: Colours) {
  return {
    type: 'category' as const,
    inverse: true,
    axisLine: { show: false },
    axisTick: { show: false },
    z: 10,
    axisLabel: {
      inside: true,
      margin: 0,
      interval: 0,
      color: text,
      fontSize: FONT,
      verticalAlign: 'bottom' as const,
      padding: [0, 0, 9, 0],
    },
  }
}

function isReachedBar({ value, goal, lessIsBetter = false }: Bar): boolean {
  return goal === undefined || (lessIsBetter ? value <= goal : value >= goal)
}

function labelOf({ value, goal }: Bar, unit: string | undefined): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  const text = [numberOf(value, digits), ...(unit === undefined ? [] : [unit])].join(' ')
  return goal === undefined ? text : `${text} (goal ${goal})`
}
