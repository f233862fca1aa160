import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { storeLaws } from '../../../src/contracts/index.js'
import type { Law } from '../../../src/contracts/law.js'
import type { Call } from '../../../src/ports/calls/call.js'
import { STORE_CALLS } from '../../../src/ports/calls/store.js'
import type { Store } from '../../../src/ports/store.js'
import { everyCall, type UntypedCall } from '../broken/bug.js'

/** A port call, and the laws that justify the simulator's assumptions about this call. */
export type Shown = {
  readonly call: string
  readonly kind: Call['kind']
  /** A law that detects a read that misses an earlier write, or an acknowledged write that was not stored. */
  readonly effect: Law | undefined
  /** A law that detects a store that drops the second of two concurrent calls; `undefined` for reads. */
  readonly atomicity: Law | undefined
}

type Traced = { readonly law: Law; readonly made: ReadonlySet<string>; readonly raced: ReadonlySet<string> }
type Mutant = (call: UntypedCall) => UntypedCall

/** The number of a law's first calls; each is omitted in a separate run. */
const FIRST_CALLS = 8

export async function shownCalls(): Promise<readonly Shown[]> {
  const traced = await inTurn(storeLaws, trace)
  const calls = Object.entries(STORE_CALLS).flatMap(([port, calls]) =>
    Object.entries(calls as Readonly<Record<string, Call>>).map(([name, { kind }]) => ({ port, name, kind })),
  )
  // The in-memory store does not implement `CopyableRecords`.
  return await inTurn(
    calls.filter(({ port }) => port !== 'copyableRecords'),
    async ({ port, name, kind }) => {
      const call = `${port}.${name}`
      const making = nearest(traced, port, name).filter(({ made }) => made.has(call))
      const racing = making.filter(({ raced }) => raced.has(call))
      const effect = await firstThat(making, (law) => noticesEffect(law, call, kind))
      const atomicity =
        kind === 'read' ? undefined : await firstThat(racing, (law) => isBroken(law, call, merged))
      return { call, kind, effect, atomicity }
    },
  )
}

/** Sorts the laws: first the port's laws that name the call, then the port's other laws, then the laws of other ports. */
function nearest(traced: readonly Traced[], port: string, name: string): readonly Traced[] {
  const named = new RegExp(`\\b${name}\\b`)
  const rank = ({ law }: Traced) => (law.port !== port ? 2 : named.test(law.name) ? 0 : 1)
  return traced.filter(({ law }) => law.port !== 'store').toSorted((one, other) => rank(one) - rank(other))
}

async function firstThat(traced: readonly Traced[], isRight: (law: Law) => Promise<boolean>) {
  for (const { law } of traced) if (await isRight(law)) return law
  return undefined
}

async function inTurn<Input, Answer>(inputs: readonly Input[], make: (input: Input) => Promise<Answer>) {
  const answers: Answer[] = []
  for (const input of inputs) answers.push(await make(input))
  return answers
}

/** Records the calls that a law makes, and which calls are concurrent. */
async function trace(law: Law): Promise<Traced> {
  const [made, raced] = [new Set<string>(), new Set<string>()]
  const underWay = new Map<string, number>()
  await law.check(
    changed((call, name) => async (...inputs) => {
      const others = underWay.get(name) ?? 0
      made.add(name)
      if (others > 0) raced.add(name)
      underWay.set(name, others + 1)
      try {
        return await call(...inputs)
      } finally {
        underWay.set(name, (underWay.get(name) ?? 1) - 1)
      }
    }),
  )
  return { law, made, raced }
}

async function noticesEffect(law: Law, call: string, kind: Call['kind']): Promise<boolean> {
  if (kind === 'read') return await isBroken(law, call, cached)
  const answers: unknown[] = []
  const noted: Mutant =
    (make) =>
    async (...inputs) => {
      const answer = await make(...inputs)
      answers.push(structuredClone(answer))
      return answer
    }
  await law.check(changedCall(call, noted))
  for (const [at, answer] of answers.slice(0, FIRST_CALLS).entries())
    if (await isBroken(law, call, without(at, answer))) return true
  return false
}

/** Returns `answer` to the call with this number, without making the call. */
function without(at: number, answer: unknown): Mutant {
  let calls = 0
  return (make) =>
    async (...inputs) =>
      calls++ === at ? structuredClone(answer) : await make(...inputs)
}

/** Makes only the first of several concurrent calls, and returns its result to every caller. */
const merged: Mutant = (make) => {
  let first: Promise<unknown> | undefined
  return async (...inputs) => {
    first ??= make(...inputs).finally(() => (first = undefined))
    return structuredClone(await first)
  }
}

async function isBroken(law: Law, call: string, mutant: Mutant): Promise<boolean> {
  return await law.check(changedCall(call, mutant)).then(
    () => false,
    () => true,
  )
}

/** Caches the first result for each combination of inputs. */
const cached: Mutant = (call) => {
  const known = new Map<string, unknown>()
  return async (...inputs) => {
    const key = JSON.stringify(inputs)
    if (!known.has(key)) known.set(key, structuredClone(await call(...inputs)))
    return structuredClone(known.get(key))
  }
}

const changedCall = (name: string, mutant: Mutant) =>
  changed((call, one) => (one === name ? mutant(call) : call))

function changed(change: (call: UntypedCall, name: string) => UntypedCall): Store {
  const store = createMemoryStore()
  return { ...store, ...everyCall(store, change) }
}
