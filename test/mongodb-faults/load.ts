import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../support/http/client.js'
import { UNAVAILABLE } from '../support/http/expected.js'
import { createBrowser, type Browser } from '../support/http/browser.js'
import { createdId, PETS } from '../support/http/pet-calls.js'
import { PET_UNAVAILABLE, refusedForNow, type RealService } from './real-service.js'

/** What clients of the real service observe while its store fails. */
export type LoadReport = {
  /** The pets that were acknowledged with 201, keyed by ID. */
  readonly pets: ReadonlyMap<number, string>
  /** The pets that were retried with an idempotency key until they were acknowledged. */
  readonly keyed: ReadonlySet<string>
  readonly refreshers: readonly Refresher[]
  /** Replies 503 with the specified body and header. */
  readonly refused: number
  /** Any reply that is neither a success nor such a 503, as text. */
  readonly wrong: readonly string[]
}

/** One client that refreshes its token pair repeatedly; after a 503, it retries with the same pair. */
export type Refresher = { readonly browser: Browser; acknowledged: number }

/** A request was acknowledged, or got a 503. */
export type Event = 'pet' | 'refresh' | 'refusal'

export type Load = {
  /** Resolves when this many pets and refreshes have been acknowledged since the start. */
  acknowledged(count: number): Promise<void>
  /** Resolves when each of these events has occurred for a request that was sent after the call. */
  next(...what: readonly Event[]): Promise<void>
  /** Ends the load when the last pet or pair of every client has been acknowledged. */
  stop(): Promise<LoadReport>
}

const WRITERS = 3
const PAUSE_AFTER_REFUSAL = 50

type Watcher = (event: Event | 'wrong', began: number) => void

type State = {
  readonly service: RealService
  readonly pets: Map<number, string>
  readonly keyed: Set<string>
  readonly refreshers: Refresher[]
  readonly wrong: string[]
  readonly watchers: Set<Watcher>
  refused: number
  stopping: boolean
}

/** Pets with and without idempotency keys, and one refreshing client for each account of the service. */
export async function startLoad(service: RealService): Promise<Load> {
  const state: State = {
    service,
    pets: new Map(),
    keyed: new Set(),
    refreshers: [],
    wrong: [],
    watchers: new Set(),
    refused: 0,
    stopping: false,
  }
  for (const email of service.emails) {
    const browser = createBrowser(service, email)
    if ((await browser.login()).status !== 200) throw new Error('the login of a refresher failed')
    state.refreshers.push({ browser, acknowledged: 0 })
  }
  const clients = [
    ...Array.from({ length: WRITERS }, (_, n) => writePets(state, `plain ${String(n)}`, false)),
    ...Array.from({ length: WRITERS }, (_, n) => writePets(state, `keyed ${String(n)}`, true)),
    ...state.refreshers.map((refresher) => refreshOn(state, refresher)),
  ]
  return {
    acknowledged: async (count) => {
      while (acknowledgedBy(state) < count) await next(state, ['pet'])
    },
    next: (...what) => next(state, what),
    stop: async () => {
      state.stopping = true
      await Promise.all(clients)
      return state
    },
  }
}

async function writePets(state: State, name: string, keyed: boolean): Promise<void> {
  for (let count = 0; !state.stopping; count += 1) await writePet(state, `${name} ${String(count)}`, keyed)
}

async function writePet(state: State, name: string, keyed: boolean): Promise<void> {
  const { client, apiKey } = state.service
  const headers = { 'X-API-Key': apiKey, ...(keyed && { 'Idempotency-Key': name.replaceAll(' ', '-') }) }
  for (;;) {
    const began = performance.now()
    const reply = await replied(state, client.call('POST', PETS, { json: { name }, headers }))
    if (reply?.status === 201) {
      state.pets.set(createdId(reply), name)
      if (keyed) state.keyed.add(name)
      tell(state, 'pet', began)
      return
    }
    // Without an idempotency key, it is unknown whether the pet was created, so the request is not repeated.
    if (!(await goesOn(state, reply, PET_UNAVAILABLE)) || !keyed) return
  }
}

async function refreshOn(state: State, refresher: Refresher): Promise<void> {
  for (;;) {
    const began = performance.now()
    const reply = await replied(state, refresher.browser.refresh())
    if (reply?.status === 200) {
      refresher.acknowledged += 1
      tell(state, 'refresh', began)
      if (state.stopping) return
    } else if (!(await goesOn(state, reply, UNAVAILABLE))) return
  }
}

/** False if the reply is not the specified 503, so the client cannot continue. */
async function goesOn(state: State, reply: Reply | undefined, refusal: unknown): Promise<boolean> {
  if (!reply) return false
  if (!isDeepStrictEqual(refusedForNow(reply), refusal)) {
    giveUp(state, `${String(reply.status)} ${reply.text}`)
    return false
  }
  state.refused += 1
  tell(state, 'refusal', performance.now())
  await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_REFUSAL))
  return true
}

/** `undefined` if there was no reply at all. */
async function replied(state: State, call: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await call
  } catch (error) {
    giveUp(state, String(error))
    return undefined
  }
}

function acknowledgedBy({ pets, refreshers }: State): number {
  return refreshers.reduce((sum, { acknowledged }) => sum + acknowledged, pets.size)
}

/** A single wrong reply ends the load, and callers that wait get the reason. */
function giveUp(state: State, what: string): void {
  state.wrong.push(what)
  state.stopping = true
  tell(state, 'wrong', performance.now())
}

function tell(state: State, what: Event | 'wrong', began: number): void {
  for (const watcher of [...state.watchers]) watcher(what, began)
}

/** Requests sent before the call do not count, because they may have completed before. */
async function next({ watchers, wrong }: State, what: readonly Event[]): Promise<void> {
  const since = performance.now()
  const awaited = new Set<string>(what)
  await new Promise<void>((resolve, reject) => {
    const watcher: Watcher = (event, began) => {
      if (began >= since) awaited.delete(event)
      if (awaited.size > 0 && wrong.length === 0) return
      watchers.delete(watcher)
      if (wrong.length > 0) reject(new Error(wrong.join('\n')))
      else resolve()
    }
    watchers.add(watcher)
    watcher('wrong', 0)
  })
}
