import { setImmediate as turn } from 'node:timers/promises'
import { Pool } from 'undici'
import { readJob } from '../workplace/processes.js'
import type { Headers } from '../workplace/reply.js'
import { createStopwatch } from './traffic.js'

/** Requests that come when they are due, as those of people do, and not when a reply has made room for the next. */
export type SteadyLoad = {
  readonly address: string
  readonly path: string
  /** Of each request in turn. */
  readonly clients: readonly Headers[]
  readonly perSecond: number
  readonly seconds: number
}

/** As a proxy has them open. */
const CONNECTIONS = 64
/** Seconds that are not counted: connections are made meanwhile, and code is compiled. */
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

/** A figure with an error in it is worth nothing. */
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
  // What waits for a free connection waits too: it counts from when it was due.
  ask(clients[sent % clients.length] ?? {}, () => {
    answered += 1
    if (isCounted) stopwatch.record(performance.now() - due)
  })
  sent += 1
}
while (answered < total) await turn()
await pool.close()
console.log(JSON.stringify(stopwatch.read()))
