import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { countsOf, samplesIn, type Sample, valueOf } from '../../support/metric-samples.js'
import { servicesOfTests, type TestOptions, type TestService } from '../../support/http/service.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect } from 'chai'
import { createCollectedMetrics } from '../../../src/adapters/prometheus/prometheus-metrics.js'
import { createWorkersMetrics } from '../../../src/adapters/prometheus/workers-metrics.js'
import { PROJECT } from '../../support/project.js'
import type { Panel as GrafanaPanel } from '../../support/prometheus/dashboard.js'
import { newcomer } from '../../support/http/browser.js'

export type Selector = {
  readonly metric: string
  readonly matchers: readonly Matcher[]
}

type Matcher = { readonly label: string; readonly operator: string; readonly text: string }

export type Expression = {
  readonly selectors: readonly Selector[]
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
  // Durations and dashboard variables are not names.
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

type MeteredService = TestService & {
  readonly text: () => Promise<string>
  /** Returns the nonzero samples of one metric, keyed by their labels. */
  readonly counts: (name: string) => Promise<Readonly<Record<string, number>>>
}

/** Stores sessions, even if the test run is stateless. */
const WITH_SESSIONS = { mode: 'stateful' } as const

/** Starts services with separate Prometheus metrics. Must be called in a `describe`. */
function meteredServices(): (options?: TestOptions) => Promise<MeteredService> {
  const serve = servicesOfTests()
  return async (options) => {
    const { metrics, exposition } = createPrometheusMetrics()
    const service = await serve({ ...WITH_SESSIONS, ...options, metrics })
    const text = async () => (await exposition()).text
    return { ...service, text, counts: async (name) => countsOf(await text(), name) }
  }
}

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
type Target = { readonly expr: string; readonly datasource: { readonly uid: string } }
type Panel = Omit<GrafanaPanel, 'targets'> & { readonly id: number; readonly targets?: readonly Target[] }
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[]
  }
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
  const serve = meteredServices()

  it('use only metrics, labels and label values that a running service exports', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    await browser.getIdentity()
    await browser.refresh()
    await browser.logout()
    const samples = [...samplesIn(await service.text()), ...samplesIn(await textOfWorkers())]
    expect(EXPRESSIONS.length).to.be.greaterThan(30)
    const errors = EXPRESSIONS.flatMap(([place, text]) =>
      errorsIn(text, samples).map((one) => `${place}: ${one}`),
    )
    expect(errors).to.deep.equal([])
  })

  it('fail this check if they use an unknown metric, label or value', async () => {
    const samples = samplesIn(await (await serve()).text())
    const wrong = {
      'sum by (rout) (rate(kennel_logins_totals[5m]))': ['no metric kennel_logins_totals', 'no label rout'],
      'kennel_logins_total{outcom="success"} > 0': ['no label outcom of kennel_logins_total'],
      'rate(kennel_logins_total{outcome=~"success|fine"}[5m])': [],
      'rate(kennel_logins_total{outcome="fine"}[5m])': ['no outcome="fine" of kennel_logins_total'],
      'kennel_password_hash_wait_seconds > 1': ['no metric kennel_password_hash_wait_seconds'],
      'label_values(kennel_built_info, instance)': ['no metric kennel_built_info'],
    }
    for (const [text, errors] of Object.entries(wrong))
      expect(errorsIn(text, samples), text).to.deep.equal(errors)
  })

  it('have instructions and a table row on the page for each alert', () => {
    expect(ALERTS).to.not.be.empty
    for (const { alert, labels, annotations, for: lasting = '0m' } of ALERTS) {
      expect(['critical', 'warning'], alert).to.include(labels.severity)
      expect(lasting, alert).to.match(/^\d+m$/)
      expect(annotations['summary'], alert).to.be.a('string').and.to.not.contain('\n')
      expect(annotations['description']?.length, alert).to.be.greaterThan(100)
      expect(read('../alerts.md'), alert).to.contain(`| \`${alert}\``)
    }
  })

  it('show every metric that the page lists, on panels that do not overlap', () => {
    const shown = TARGETS.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => metric))
    const page = Array.from(read('../metrics.md').matchAll(/^\| `(kennel_\w+)` /gm), ([, name = '']) => name)
    expect(page).to.have.length(17)
    const missing = page.filter((name) => !shown.some((one) => one.startsWith(name)))
    expect(missing).to.deep.equal([])
    const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).to.equal(cells.length)
    expect(Math.max(...DASHBOARD.panels.map(({ gridPos: { x, w } }) => x + w))).to.equal(24)
    expect(new Set(DASHBOARD.panels.map(({ id }) => id)).size).to.equal(DASHBOARD.panels.length)
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

/** Waits until the server has counted the request, which may be shortly after the client has received the reply. */
async function requestsWhen(service: MeteredService, labels: string) {
  for (;;) {
    const counts = await service.counts('kennel_http_requests_total')
    if (counts[labels]) return counts
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the metrics of a service', () => {
  const serve = meteredServices()

  it('count requests by method, route pattern and status, but never by ID, path or unknown method', async () => {
    const service = await serve()
    for (let id = 0; id < 300; id += 1) {
      await service.client.call('GET', `/v1/pets/${id}`)
      await service.client.call('GET', `/cAnArY/${id}?id=${id}`)
      await service.client.call('DELETE', `/v1/pets/${id}`)
    }
    await service.client.call('PUT', '/api/auth/login')
    const { status } = await fetch(`${service.origin}/cAnArY`, { method: 'PROPFIND' })
    await service.client.call('HEAD', '/health/live')
    expect(await requestsWhen(service, 'HEAD /health/live 200')).to.deep.equal({
      'GET /v1/pets/:petId 401': 300,
      'DELETE /v1/pets/:petId 401': 300,
      'GET unmatched 404': 300,
      'PUT /api/auth/login 405': 1,
      [`other unmatched ${status}`]: 1,
      'HEAD /health/live 200': 1,
    })
    const live = { method: 'HEAD', route: '/health/live' }
    const text = await service.text()
    expect(valueOf(text, 'kennel_http_request_duration_seconds_count', live)).to.equal(1)
    expect(valueOf(text, 'kennel_http_request_duration_seconds_sum', live)).to.be.greaterThan(0)
  })
})
