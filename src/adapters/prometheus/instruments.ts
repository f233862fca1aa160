import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ConnectionEnding, RefreshOutcome, SessionEnding, UseCaseOutcome } from '../../ports/metrics.js'
import { STORE_PORTS } from '../../ports/calls/store.js'

/** Of this package; a test compares it with package.json, which a bundle does not have beside it. */
const VERSION = '0.7.0'

/** Every one of a closed list: the compiler misses none. */
type Every<Label extends string> = Readonly<Record<Label, true>>

const REFRESHES: Every<RefreshOutcome> = {
  rotated: true,
  superseded: true,
  replayed: true,
  mismatched: true,
  unknown: true,
  renewed: true,
}
const ENDINGS: Every<SessionEnding> = { ended: true, revoked: true, replayed: true, expired: true }
const CLOSINGS: Every<ConnectionEnding> = { refused: true, stalled: true, flooding: true }
/** The outcomes that `Login` can have. */
const LOGINS: readonly UseCaseOutcome[] = [
  ...(['success', 'malformed', 'login-failed', 'second-factor-required', 'invalid-token'] as const),
  ...(['unauthenticated', 'too-many-attempts', 'overloaded', 'unavailable', 'fault'] as const),
]

// In seconds. A request is a millisecond, or a password hash and more; a call of the store can be far less.
const REQUEST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const HASH = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STORE = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** All that is counted and measured, in a registry. What an alert looks at begins at 0. */
export type Instruments = ReturnType<typeof createInstruments>

/** Registers everything. `droppedLines` tells how many lines the log of this process has dropped so far. */
export function createInstruments(registry: Registry, droppedLines: () => number) {
  const registers = [registry]
  gaugeOfBuild(registers)
  countDroppedLines(registers, droppedLines)
  const instruments = { ...ofRequests(registers), ...ofIdentity(registers), ...ofHashes(registers) }
  const storeCalls = new Histogram({
    name: 'kennel_store_call_duration_seconds',
    help: 'Time of the calls of the store, by port and outcome (ok, unavailable, fault).',
    labelNames: ['port', 'outcome'],
    buckets: STORE,
    registers,
  })
  for (const port of STORE_PORTS) storeCalls.zero({ port, outcome: 'unavailable' })
  return { ...instruments, storeCalls }
}

type Registers = Registry[]

function gaugeOfBuild(registers: Registers): void {
  const build = new Gauge({
    name: 'kennel_build_info',
    help: 'Always 1; its label is the version of Kennel.',
    labelNames: ['version'],
    // Of several processes: their sum would not be 1.
    aggregator: 'first',
    registers,
  })
  build.set({ version: VERSION }, 1)
}

function countDroppedLines(registers: Registers, droppedLines: () => number): void {
  new Counter({
    name: 'kennel_log_lines_dropped_total',
    help: 'Log lines that were dropped because the reader of the log had stalled or the disk was full.',
    registers,
    collect() {
      this.reset()
      this.inc(droppedLines())
    },
  })
}

function ofRequests(registers: Registers) {
  const connectionsClosed = new Counter({
    name: 'kennel_connections_closed_total',
    help: 'Connections that the server closed on its own account, by the reason.',
    labelNames: ['ending'],
    registers,
  })
  for (const ending of Object.keys(CLOSINGS)) connectionsClosed.inc({ ending }, 0)
  return {
    connectionsClosed,
    requests: new Counter({
      name: 'kennel_http_requests_total',
      help: 'Requests that are over, by method, pattern of the route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestTimes: new Histogram({
      name: 'kennel_http_request_duration_seconds',
      help: 'Time from the arrival of the head of a request to the end of its answer.',
      labelNames: ['method', 'route'],
      buckets: REQUEST,
      registers,
    }),
  }
}

function ofIdentity(registers: Registers) {
  const logins = new Counter({
    name: 'kennel_logins_total',
    help: 'Logins that were tried, by outcome: success, the code of the refusal, or fault.',
    labelNames: ['outcome'],
    registers,
  })
  const refreshes = new Counter({
    name: 'kennel_refreshes_total',
    help: 'Good refresh tokens that were presented, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const sessionsOpened = new Counter({
    name: 'kennel_sessions_opened_total',
    help: 'Sessions that were opened.',
    registers,
  })
  const sessionsEnded = new Counter({
    name: 'kennel_sessions_ended_total',
    help: 'Sessions that came to an end, by the reason.',
    labelNames: ['ending'],
    registers,
  })
  for (const outcome of LOGINS) logins.inc({ outcome }, 0)
  for (const outcome of Object.keys(REFRESHES)) refreshes.inc({ outcome }, 0)
  for (const ending of Object.keys(ENDINGS)) sessionsEnded.inc({ ending }, 0)
  return { logins, refreshes, sessionsOpened, sessionsEnded }
}

function ofHashes(registers: Registers) {
  return {
    hashesWaiting: new Gauge({
      name: 'kennel_password_hashes_waiting',
      help: 'Password hashes that wait for their turn.',
      registers,
    }),
    hashWaits: new Histogram({
      name: 'kennel_password_hash_wait_seconds',
      help: 'Time that a password hash waited for its turn.',
      buckets: [0.001, ...HASH],
      registers,
    }),
    hashTimes: new Histogram({
      name: 'kennel_password_hash_duration_seconds',
      help: 'Time that a password hash took to compute.',
      buckets: HASH,
      registers,
    }),
    hashesRefused: new Counter({
      name: 'kennel_password_hashes_refused_total',
      help: 'Password hashes that were not begun because too many were waiting.',
      registers,
    }),
  }
}
