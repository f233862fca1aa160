import assert from 'node:assert/strict'
import { STORE_CALLS } from '../ports/calls/store.js'
import { changePorts, completePort, type GivenStore } from '../ports/given-store.js'
import type { Store, StorePort } from '../ports/store.js'

const CALLERS = 16
/**
 * Number of times a race is repeated: high enough for a rare order of calls to occur, and low enough for a store that syncs every commit.
 */
const ROUNDS = 3

/** Starts all calls at the same time, and returns their results in the order of the calls. */
export async function startTogether<Answer>(calls: readonly (() => Promise<Answer>)[]) {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const answers = calls.map(async (call) => {
    await gate
    return await call()
  })
  open()
  return await Promise.all(answers)
}

/** Starts 16 calls, numbered from 0, at the same time. */
export async function race<Answer>(call: (caller: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return await startTogether(numbersBelow(CALLERS).map((caller) => () => call(caller)))
}

/** Runs a race and asserts how often each result, or each kind of result, occurs. */
export async function assertRace<Answer extends Word>(
  expected: Readonly<Record<string, number>>,
  call: (caller: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers = await race(call)
  assert.deepEqual(tally(answers), expected)
  return answers
}

/** Calls `call` with each input sequentially and returns the results in order. */
export async function eachInOrder<Input, Answer>(
  inputs: Iterable<Input>,
  call: (input: Input, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const input of inputs) answers.push(await call(input, answers.length))
  return answers
}

export function numbersBelow(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number)
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

export async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await run(round)
}

type Word = string | { readonly kind: string }

/** Counts how often each result, or each kind of result, occurs. */
export function tally(answers: readonly Word[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const word = typeof answer === 'string' ? answer : answer.kind
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

/** A port that has contract laws: the name of a `Store` property, or `store` for the laws that concern the whole store. */
export type LawPort = Exclude<keyof Store, 'ready' | 'close'> | 'store'

/** A contract law: an executable check of one promise of a port, for any test runner. */
export type PortLaw<Port extends string, Part> = {
  readonly port: Port
  /** The name of the law, unique within the port. */
  readonly name: string
  /** What users lose if an adapter breaks the law. */
  readonly protects: string
  /** Rejects with an `AssertionError` if the implementation breaks the law, or with an error from the implementation itself. */
  check(part: Part): Promise<void>
}

/** A contract law for a store port. `check` needs a fresh, empty store and may close it; the caller must close it in any case. */
export type Law = PortLaw<LawPort, GivenStore>

/** Defines a law: `law('name').protects('reason').check(async (store) => { … })`. */
type Statement<Port extends string, Part, Input, Arrangement> = (name: string) => {
  protects(protects: string): {
    check(check: (part: Part, arranged: Arrangement) => Promise<void>): PortLaw<Port, Input>
    /** Runs the check of a race several times, each time after calling `arrange`; `round` starts at 1. */
    inRounds(check: (part: Part, round: number, arranged: Arrangement) => Promise<void>): PortLaw<Port, Input>
  }
}

/** Prepares the implementation for a check, for example by inserting an account with this name. */
type Arrange<Part, Arrangement> = (part: Part, name: string) => Promise<Arrangement>

const nothing = async () => undefined

/** Defines laws for one store port. Each law wraps the store in `withTampering` and uses fallbacks for missing calls. */
export function lawOf<Arrangement = undefined>(
  port: LawPort,
  arrange: Arrange<Store, Arrangement> = nothing as never,
): Statement<LawPort, Store, GivenStore, Arrangement> {
  const wrapStore = (store: GivenStore) =>
    changePorts(changePorts(store, completePort), withTampering) as Store
  return statement(port, wrapStore, arrange)
}

/** Defines laws for a port that does not belong to a store. */
export const statementOf = <Port extends string, Part>(port: Port) =>
  statement(port, (part: Part) => part, nothing)

function statement<Port extends string, Part, Input, Arrangement>(
  port: Port,
  partOf: (input: Input) => Part,
  arrange: Arrange<Part, Arrangement>,
): Statement<Port, Part, Input, Arrangement> {
  return (name) => ({
    protects(protects) {
      const lawFor = (check: (part: Part) => Promise<void>) => ({
        ...{ port, name, protects },
        check: (input: Input) => check(partOf(input)),
      })
      return {
        check: (check) => lawFor(async (part) => await check(part, await arrange(part, 'ann'))),
        inRounds: (check) =>
          lawFor((part) =>
            inRounds(async (round) => await check(part, round, await arrange(part, `ann ${round}`))),
          ),
      }
    },
  })
}

type Call = (...inputs: readonly unknown[]) => Promise<unknown>

/**
 * Wraps the port so that each call returns a copy of its result and then overwrites the inputs and the original result. As a result, every
 * law detects a store that shares an object with its callers.
 */
function withTampering<Port extends object>(port: Port, name: StorePort): Port {
  const calls = Object.keys(STORE_CALLS[name]).map((call) => [
    call,
    async (...args: readonly unknown[]) => {
      const inputs = structuredClone(args)
      const answer = await Reflect.apply(Reflect.get(port, call) as Call, port, inputs)
      const copy = structuredClone(answer)
      assert.deepEqual(copy, answer, `the result of ${name}.${call} is plain data`)
      tamperWith(inputs)
      tamperWith(answer)
      return copy
    },
  ])
  return Object.fromEntries(calls) as Port
}

/** Overwrites every member. A frozen value cannot be overwritten, so sharing this value is safe. */
function tamperWith(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key)
    if (typeof member === 'object' && member !== null) tamperWith(member)
    else Reflect.set(value, key, overwritten(member))
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
  else Reflect.set(value, 'tampered', true)
}

function overwritten(member: unknown): unknown {
  if (typeof member === 'number') return member + 1_000_003
  if (typeof member === 'boolean') return !member
  return 'tampered'
}
