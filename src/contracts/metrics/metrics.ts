import assert from 'node:assert/strict'
import { REQUEST_METHODS, type CompletedRequest, type Metrics } from '../../ports/metrics.js'
import { statementOf, type PortLaw } from '../law.js'

/** The metrics implementation under test, and the text that it exposes. */
export type MetricsUnderTest = {
  readonly metrics: Metrics
  /** Returns the complete exposition with one line per value, without the metrics of the process. */
  readonly shown: () => Promise<string>
}

const law = statementOf<'metrics', MetricsUnderTest>('metrics')

const REQUEST: CompletedRequest = { method: 'GET', route: '/v1/pets/:petId', status: 200, duration: 3 }
/** Unusual times and counts, such as those caused by a custom adapter or by a clock that was set back. */
const ODD_NUMBERS = [0, 0.1, -0, -1, 1e308, Number.MIN_VALUE, Number.NaN, Infinity, -Infinity, 2 ** 53]
const ODD_LABELS = [
  ...['', ' ', '__proto__', 'constructor', '"', '\\', '\n', '}\nfake 1', '\u0000', '\ud800', '犬'],
  'x'.repeat(10_000),
]
const SECRET = 'kennel_0123456789abcdef'

/**
 * Contract tests for `Metrics`. Each check needs a new instance. No law checks that every call is fast, because such a check needs an
 * otherwise idle machine.
 */
export const metricsLaws: readonly PortLaw<'metrics', MetricsUnderTest>[] = [
  law('no call throws, waits or returns a value, regardless of the number passed')
    .protects('An unusual number does not break a request.')
    .check(async ({ metrics, shown }) => {
      for (const call of ODD_NUMBERS.flatMap((number) => callsWith(metrics, number)))
        assert.equal(call(), undefined)
      assert.equal(typeof (await shown()), 'string')
    }),
  law('no call throws, waits or returns a value, regardless of the label')
    .protects('A host that passes invalid labels loses measurements, but no request fails.')
    .check(async ({ metrics, shown }) => {
      for (const call of ODD_LABELS.flatMap((label) => callsLabelled(metrics, label)))
        assert.equal(call(), undefined)
      assert.equal(typeof (await shown()), 'string')
    }),
  law('repeated calls of the same method do not add lines')
    .protects('The metrics exposition does not grow with the number of requests.')
    .check(async ({ metrics, shown }) => {
      const tell = (number: number) => callsWith(metrics, number).forEach((call) => call())
      tell(1)
      const before = linesOf(await shown())
      for (let number = 2; number < 1_000; number += 1) tell(number)
      assert.equal(linesOf(await shown()), before)
    }),
  law('the number of distinct routes, methods and statuses is limited')
    .protects('Clients cannot fill the memory of a host that labels metrics by path.')
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
  law('a line break in a label does not start a new line')
    .protects('A path chosen by an attacker cannot add a fake metric.')
    .check(async ({ metrics, shown }) => {
      metrics.requestAnswered({ ...REQUEST, route: '/\nkennel_logins_total 7000000001\n' })
      assert.doesNotMatch(await shown(), /^kennel_logins_total 7000000001/m)
    }),
  law('invalid statuses and routes do not appear in the metrics')
    .protects('A secret that a client put into a path does not appear in the metrics.')
    .check(async ({ metrics, shown }) => {
      metrics.requestAnswered({ ...REQUEST, route: `/${SECRET.repeat(100)}` })
      metrics.requestAnswered({ ...REQUEST, status: SECRET as never })
      assert.ok(!(await shown()).includes(SECRET))
    }),
]

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

/** Returns every call that takes a label, each with a label that the compiler would reject. */
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
