import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../project.js'
import type { Prometheus, Series } from './server.js'

type Target = { readonly expr: string; readonly legendFormat: string }

/** The members of a panel that the tests read; the page draws the panel with all its members. */
export type Panel = {
  readonly type: 'row' | 'stat' | 'timeseries'
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly Target[]
}

export type FilledPanel = Panel & {
  readonly series: readonly { readonly name: string; readonly values: Series['values'] }[]
}

const FILE = join(PROJECT, 'docs', 'operate', 'files', 'grafana-dashboard.json')

/** The values that Grafana puts into queries for variables: all instances, and the time of four scrapes, the minimum for a rate. */
const VARIABLES = { $instance: '.*', $__rate_interval: '1m' }

export function dashboardPanels(): readonly Panel[] {
  return (JSON.parse(readFileSync(FILE, 'utf8')) as { panels: readonly Panel[] }).panels
}

export async function fillPanel(panel: Panel, prometheus: Prometheus): Promise<FilledPanel> {
  const answers = await Promise.all(
    (panel.targets ?? []).map(async ({ expr, legendFormat }) => {
      const query = Object.entries(VARIABLES).reduce(
        (text, [name, value]) => text.replaceAll(name, value),
        expr,
      )
      const answer = await prometheus.hour(query)
      return answer.map(({ labels, values }) => ({ name: legendOf(legendFormat, labels), values }))
    }),
  )
  return { ...panel, series: answers.flat() }
}

function legendOf(format: string, labels: Series['labels']): string {
  return format.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '').trim()
}
