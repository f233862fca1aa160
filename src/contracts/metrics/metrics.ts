import assert from 'node:assert/strict'
import { REQUEST_METHODS, type CompletedRequest, type Metrics } from '../../ports/metrics.js'
import { statementOf, type PortLaw } from '../law.js'

/** Metrics with what they show of themselves. */
export type MetricsUnderTest = {
  readonly metrics: Metrics
  /** All of it, as it is scraped or sent, a line for each number; without what the process itself tells of its memory and time. */
  readonly shown: () => Promise<string>
}

/** One promise of the port `Metrics`; its check wants metrics that were told nothing yet. */
type MetricsLaw = PortLaw<'metrics', MetricsUnderTest>

const law = statementOf<'metrics', MetricsUnderTest>('metrics')

const REQUEST: CompletedRequest = { method: 'GET', route: '/v1/pets/:petId', status: 200, duration: 3 }
/** What a clock that is put back, or a part of another author, makes of a time or a count. */
const ODD_NUMBERS = [0, 0.1, -0, -1, 1e308, Number.MIN_VALUE, Number.NaN, Infinity, -Infinity, 2 ** 53]
const ODD_LABELS = [
  ...['', ' ', '__proto__', 'constructor', '"', '\\', '\n', '}\nfake 1', '\u0000', '\ud800', '犬'],
  'x'.repeat(10_000),
]
const SECRET = 'kennel_0123456789abcdef'

/** The laws of `Metrics`. That no call takes long is a promise too; it takes a quiet machine to see. */
export const metricsLaws: readonly MetricsLaw[] = [
  law('no call throws, waits or answers, whatever the numbers are')
    .protects('A request is answered though its number is odd.')
    .check(async ({ metrics, shown }) => {
      for (const number of ODD_NUMBERS)
        for (const call of callsWith(metrics, number)) assert.equal(call(), undefined)
      assert.equal(typeof (await shown()), 'string')
    }),
  law('no call throws, waits or answers, whatever the labels are')
    .protects('A host that labels badly loses a number, and no request.')
    .check(async ({ metrics, shown }) => {
      for (const label of ODD_LABELS) {
        for (const call of callsLabelled(metrics, label))
          assert.equal(call(), undefined, JSON.stringify(label))
      }
      assert.equal(typeof (await shown()), 'string')
    }),
  law('calls of the same kind add no line: times and counts are no labels')
    .protects('Metrics are as large after a year as after a day.')
    .check(async ({ metrics, shown }) => {
      const tell = (number: number) => callsWith(metrics, number).forEach((call) => call())
      tell(1)
      const before = linesOf(await shown())
      for (let number = 2; number < 1_000; number += 1) tell(number)
      assert.equal(linesOf(await shown()), before)
    }),
  law('the routes, methods and statuses that are told apart are limited')
    .protects('A host that labels by the path lets no client fill its memory.')
    .check(async ({ metrics, shown }) => {
      const tell = (from: number, to: number) => {
        for (let id = from; id < to; id += 1) {
          metrics.requestAnswered({ ...REQUEST, route: `/v1/pets/${id}` })
          metrics.requestAnswered({ ...REQUEST, status: id })
          for (const method of REQUEST_METHODS)
            metrics.requestAnswered({ ...REQUEST, method, route: `/${id}` })
        }
      }
      tell(0, 1_000)
      const before = linesOf(await shown())
      tell(1_000, 5_000)
      assert.equal(linesOf(await shown()), before)
    }),
  law('a line break in a label begins no line')
    .protects('A path that a stranger chose puts no number among ours.')
    .check(async ({ metrics, shown }) => {
      metrics.requestAnswered({ ...REQUEST, route: '/\nkennel_logins_total 7000000001\n' })
      const lines = (await shown()).split('\n')
      const wrong = lines.filter((line) => line.startsWith('kennel_logins_total 7000000001'))
      assert.deepEqual(wrong, [])
    }),
  law('what is no status, and a route that is none, is not shown')
    .protects('A key that a client put into a path is not in the metrics.')
    .check(async ({ metrics, shown }) => {
      metrics.requestAnswered({ ...REQUEST, route: `/${SECRET.repeat(100)}` })
      metrics.requestAnswered({ ...REQUEST, status: SECRET as never })
      assert.ok(!(await shown()).includes(SECRET))
    }),
]

/** Every call that takes a number, with this one. */
function callsWith(metrics: Metrics, number: number): readonly (() => unknown)[] {
  return [
    () => metrics.requestAnswered({ ...REQUEST, duration: number }),
    () => metrics.sessionsEnded('expired', number),
    () => metrics.hashesWaiting(number),
    () => metrics.hashComputed({ waited: number, took: number }),
    () => metrics.hashRefused(),
    () => metrics.sessionOpened(),
    () => metrics.storeCalled('pets', 'ok', number),
  ]
}

/** Every call that takes a word, with one that the compiler would refuse. */
function callsLabelled(metrics: Metrics, label: string): readonly (() => unknown)[] {
  const odd = label as never
  return [
    () => metrics.requestAnswered({ ...REQUEST, method: odd, route: label, status: odd }),
    () => metrics.connectionClosed(odd),
    () => metrics.loginTried(odd),
    () => metrics.refreshTried(odd),
    () => metrics.sessionsEnded(odd, 1),
    () => metrics.storeCalled(odd, odd, 1),
  ]
}

function linesOf(text: string): number {
  return text.split('\n').length
}
