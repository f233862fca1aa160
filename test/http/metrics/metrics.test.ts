import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { samplesIn, type Sample } from '../../support/metric-samples.js'
import { servicesOfTests } from '../../support/http/service.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect } from 'chai'
import { createCollectedMetrics } from '../../../src/adapters/prometheus/prometheus-metrics.js'
import { createWorkersMetrics } from '../../../src/adapters/prometheus/workers-metrics.js'
import { PROJECT } from '../../support/project.js'
import type { Panel } from '../../support/prometheus/dashboard.js'
import { newcomer } from '../../support/http/browser.js'

type Matcher = { readonly label: string; readonly operator: string; readonly text: string }

type Expression = {
  readonly selectors: readonly { readonly metric: string; readonly matchers: readonly Matcher[] }[]
  /** The labels of `by (…)`, and the second argument of `label_values`. */
  readonly labels: readonly string[]
}

const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g
const LABEL_VALUES = /^label_values\((\w+),\s*(\w+)\)$/
const SELECTOR = /(?<![\w$"])([a-z_]\w*)\b(?!\s*\()(?:\{((?:"[^"]*"|[^}"])*)\})?/gi
const MATCHER = /^\s*(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*$/
const WORDS = ['and', 'or', 'unless', 'bool']

/** Reads a PromQL expression or a dashboard variable query. Throws an Error if a matcher has an unknown form. */
function readExpression(text: string): Expression {
  const [, metric, label] = LABEL_VALUES.exec(text) ?? []
  if (metric !== undefined && label !== undefined)
    return { selectors: [{ metric, matchers: [] }], labels: [label] }
  const labels = Array.from(text.matchAll(GROUPING), ([, list = '']) => list.split(',')).flat()
  // Removes durations and dashboard variables, which are not names.
  const bare = text.replaceAll(GROUPING, '').replaceAll(/\[[^\]]*\]/g, '')
  const selectors = Array.from(bare.matchAll(SELECTOR), ([, name = '', matchers = '']) => ({
    metric: name,
    matchers: matchersIn(matchers),
  })).filter(({ metric: name }) => !WORDS.includes(name))
  return { selectors, labels: labels.map((one) => one.trim()) }
}

function matchersIn(text: string): readonly Matcher[] {
  const parts = text.match(/\w+\s*[=!~]+\s*"[^"]*"/g) ?? []
  if (text.replaceAll(/\w+\s*[=!~]+\s*"[^"]*"|[\s,]/g, '') !== '') throw new Error(`no matchers: ${text}`)
  return parts.map((part) => {
    const [, label = '', operator = '', value = ''] = MATCHER.exec(part) ?? []
    return { label, operator, text: value }
  })
}

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<string, string>>
}
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const read = (file: string) => readFileSync(join(PROJECT, 'docs', 'operate', 'files', file), 'utf8')
const RULES = parseYaml(read('alerts.yml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
const ALERTS = RULES.groups.flatMap(({ rules }) => rules)
const DASHBOARD = JSON.parse(read('grafana-dashboard.json')) as Dashboard
const PANELS = DASHBOARD.panels.filter(({ type }) => type !== 'row')
const TARGETS = PANELS.flatMap(({ targets = [] }) => targets)
const VARIABLES = DASHBOARD.templating.list

/** Labels and metrics that Prometheus adds: whether a target was reached, and the name of the target. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['instance', 'job'] }
/** Labels whose values occur only if something fails. */
const NOT_IN_A_GOOD_FLOW = ['status', 'instance', 'job']

const EXPRESSIONS = [
  ...ALERTS.map(({ alert, expr }) => [alert, expr] as const),
  ...PANELS.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...VARIABLES.flatMap(({ name, definition }) => (definition ? [[`$${name}`, definition] as const] : [])),
]

describe('the metrics dashboard and the alerts', () => {
  const serve = servicesOfTests()
  const { metrics, exposition } = createPrometheusMetrics()
  let samples: readonly Sample[]
  before(async () => {
    const service = await serve({ mode: 'stateful', metrics })
    const browser = await newcomer(service)
    await browser.getIdentity()
    await browser.refresh()
    await browser.logout()
    samples = [...samplesIn((await exposition()).text), ...samplesIn(await textOfWorkers())]
  })

  it('use only metrics, labels and label values that a running service exports', () => {
    expect(EXPRESSIONS.length).to.be.greaterThan(30)
    const errors = EXPRESSIONS.flatMap(([place, text]) =>
      errorsIn(text, samples).map((one) => `${place}: ${one}`),
    )
    expect(errors).to.deep.equal([])
  })

  it('fail this check if they use an unknown metric, label or value', () => {
    const wrong = {
      'sum by (rout) (rate(kennel_logins_totals[5m]))': ['no metric kennel_logins_totals', 'no label rout'],
      'kennel_logins_total{outcom="success"} > 0': ['no label outcom of kennel_logins_total'],
      'rate(kennel_logins_total{outcome="fine"}[5m])': ['no outcome="fine" of kennel_logins_total'],
    }
    for (const [text, errors] of Object.entries(wrong))
      expect(errorsIn(text, samples), text).to.deep.equal(errors)
  })

  it('have instructions and a table row on the page for each alert', () => {
    expect(ALERTS).to.not.be.empty
    for (const { alert, annotations } of ALERTS) {
      expect(annotations['description']?.length, alert).to.be.greaterThan(100)
      expect(read('../alerts.md'), alert).to.contain(`| \`${alert}\``)
    }
  })

  it('show every metric that the page lists', () => {
    const shown = TARGETS.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric))
    const page = Array.from(read('../metrics.md').matchAll(/^\| `(kennel_\w+)` /gm), ([, name = '']) => name)
    expect(page).to.have.length(17)
    const missing = page.filter((name) => !shown.some((one) => one.startsWith(name)))
    expect(missing).to.deep.equal([])
  })
})

/** The metrics of a service whose worker has not counted anything. */
async function textOfWorkers(): Promise<string> {
  const own = createCollectedMetrics()
  const { begun, exposition } = createWorkersMetrics({ wanted: 1, own, timeout: 1_000 })
  begun(1, createCollectedMetrics().collect)
  return (await exposition()).text
}

/** Returns the metrics, labels and label values that an expression uses but that no sample contains. */
function errorsIn(text: string, samples: readonly Sample[]): string[] {
  const { selectors, labels } = readExpression(text)
  const own = selectors.filter(({ metric }) => !OF_PROMETHEUS.metrics.includes(metric))
  const missing = own.filter(({ metric }) => !samples.some(({ name }) => name === metric))
  const known = samples.filter(({ name }) => own.some(({ metric }) => metric === name))
  const grouped = labels.filter((label) => !isLabelOf(known, label))
  return [
    ...missing.map(({ metric }) => `no metric ${metric}`),
    ...grouped.map((label) => `no label ${label}`),
    ...own.flatMap(({ metric, matchers }) =>
      matchers.flatMap((matcher) => matcherErrors(metric, matcher, samples)),
    ),
  ]
}

function matcherErrors(
  metric: string,
  { label, operator, text }: Matcher,
  samples: readonly Sample[],
): string[] {
  const known = samples.filter(({ name }) => name === metric)
  if (!isLabelOf(known, label)) return [`no label ${label} of ${metric}`]
  if (NOT_IN_A_GOOD_FLOW.includes(label)) return []
  const pattern = new RegExp(`^(?:${text})$`)
  const isThere = known.some(({ labels }) => pattern.test(labels[label] ?? ''))
  return isThere ? [] : [`no ${label}${operator}"${text}" of ${metric}`]
}

function isLabelOf(samples: readonly Sample[], label: string): boolean {
  return OF_PROMETHEUS.labels.includes(label) || samples.some(({ labels }) => label in labels)
}
