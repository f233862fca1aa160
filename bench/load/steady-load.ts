import { setImmediate as turn } from 'node:timers/promises'
import { Pool } from 'undici'
import { readJob } from '../workplace/processes.js'
import type { Headers } from '../workplace/reply.js'
import { createStopwatch } from './traffic.js'

/** Requests on a fixed schedule, like user requests, independent of earlier replies. */
export type SteadyLoad = {
  readonly address: string
  readonly path: string
  /** Headers of each request in turn. */
  readonly clients: readonly Headers[]
  readonly perSecond: number
  readonly seconds: number
}

/** The number of connections that a proxy keeps open. */
const CONNECTIONS = 64
/** Uncounted seconds, in which connections are opened and code is compiled. */
const WARM_UP = 1

const { address, path, clients, perSecond, seconds } = await readJob<SteadyLoad>()
const pool = new Pool(address, { connections: CONNECTIONS, pipelining: 1 })
const uncounted = Math.round(perSecond * WARM_UP)
const total = uncounted + Math.round(perSecond * seconds)
let answered = 0

function ask(headers: Headers, answer: () => void): void {
  pool.dispatch(
    { method: 'GET', path, headers },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_, status) => {
        if (status !== 200) throw new Error(`answered with ${status}`)
      },
      onResponseEnd: answer,
      onResponseError: (_, error) => fail(error),
    },
  )
}

/** A figure with a failed request is invalid. */
function fail(error: Error): never {
  console.error(error)
  process.exit(1)
}

let stopwatch = createStopwatch()
const begun = performance.now()
for (let sent = 0; sent < total;) {
  const due = begun + (1000 * sent) / perSecond
  if (performance.now() < due) {
    await turn()
    continue
  }
  if (sent === uncounted) stopwatch = createStopwatch()
  const isCounted = sent >= uncounted
  // The wait for a free connection counts too: latency starts at the due time.
  ask(clients[sent % clients.length] ?? {}, () => {
    answered += 1
    if (isCounted) stopwatch.record(performance.now() - due)
  })
  sent += 1
}
while (answered < total) await turn()
await pool.close()
console.log(JSON.stringify(stopwatch.read()))
