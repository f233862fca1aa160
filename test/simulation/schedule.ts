import { setImmediate } from 'node:timers'
import { unavailable } from '../../src/domain/refusal.js'
import type { Reply } from '../linearizability/history.js'

/** What happens to a call of a port: see `MISHAPS`. */
export const MISHAPS = [
  ...['refused', 'answer lost', 'broken', 'killed before', 'killed after'],
  ...['delayed', 'delayed', 'delayed', 'delayed', 'delayed'],
] as const
export type Mishap = (typeof MISHAPS)[number]

/** An operation under way. */
export type Running = {
  readonly id: string
  readonly client: number
  readonly instance: number
  readonly invoked: number
  completed: number
  reply: Reply
  readonly times: number[]
  /** The calls of ports that it has made, with position and time. */
  readonly calls: { readonly name: string; readonly at: number; readonly now: number }[]
  isRunning: boolean
  /** Whether a call of it had a mishap. */
  isDisturbed: boolean
}

type Pending = {
  readonly running: Running
  readonly name: string
  /** When the instance made the call. */
  readonly now: number
  readonly call: () => unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Owns the clock, the names that are drawn, and the order in which calls of ports are made. */
export type Schedule = ReturnType<typeof createSchedule>

/** Prints a line of the story. Without it, no line is made. */
export type Tell = ((line: string) => void) | undefined

type Options = {
  readonly choices: readonly number[]
  readonly mishaps: ReadonlyMap<number, Mishap>
  /** Only calls behind this call of the same operation have mishaps, and are counted for them. */
  readonly after: string | undefined
  /** How far the clock of each instance is from the time. */
  readonly skews: readonly number[]
  readonly onKill: (instance: number) => void
  readonly tell: Tell
}

const START = Date.UTC(2026, 0, 1)
/** The last reply of a process that ends. */
const LOST: Reply = { kind: 'lost' }

export function createSchedule({ choices, mishaps, after, skews, onKill, tell }: Options) {
  const pending: Pending[] = []
  const delayed: Pending[] = []
  const running = new Set<Running>()
  let [time, position, calls, chosen, drawn] = [START, 0, 0, 0, 0]
  let current: Running | undefined

  const timeOf = (instance: number) => time + (skews[instance] ?? 0)

  function advance(by: number): void {
    time += by
    for (const { times, instance } of running) times.push(timeOf(instance))
  }

  /** Resolves when nothing can go on without a call of a port. */
  async function settle(as: Running): Promise<void> {
    current = as
    await new Promise((resolve) => setImmediate(resolve))
  }

  function close(operation: Running, reply: Reply): void {
    if (!operation.isRunning) return
    operation.isRunning = false
    operation.reply = reply
    running.delete(operation)
    position += 1
    if (reply.kind !== 'lost') operation.completed = position
  }

  function kill(instance: number): void {
    tell?.(`   instance ${instance + 1} is killed and starts again`)
    for (const calls of [pending, delayed])
      for (const one of calls.splice(0)) if (one.running.instance !== instance) calls.push(one)
    for (const one of running) if (one.instance === instance) close(one, LOST)
    onKill(instance)
  }

  function make(one: Pending): void {
    const { running: operation, name, now, call, resolve, reject } = one
    const isTarget = after === undefined || operation.calls.some(({ name }) => name === after)
    const mishap = isTarget ? mishaps.get(calls) : undefined
    const { instance } = operation
    if (isTarget) calls += 1
    position += 1
    if (mishap === 'delayed') {
      tell?.(`   ${operation.id} ${name}: delayed`)
      delayed.push(one)
      return
    }
    if (mishap !== undefined) {
      // Operations of one instance can share a computation.
      for (const one of running) one.isDisturbed ||= one.instance === instance
      operation.isDisturbed = true
      tell?.(`   ${operation.id} ${name}: ${mishap}`)
    }
    if (mishap === 'refused') reject(unavailable('simulated'))
    else if (mishap === 'broken') reject(new Error('simulated'))
    else if (mishap === 'killed before') kill(instance)
    else {
      if (mishap === undefined) tell?.(`   ${operation.id} ${name}`)
      operation.calls.push({ name, at: position, now })
      const answer = call()
      if (mishap === undefined) resolve(answer)
      else {
        void Promise.resolve(answer).catch(() => undefined)
        if (mishap === 'answer lost') reject(unavailable('simulated'))
        else kill(instance)
      }
    }
  }

  return {
    timeOf,
    close,
    draw: () => `${current?.id ?? '0'}.${(drawn += 1)}`,
    pending: () => pending.length,
    /** Lets delayed calls go on; false without delayed calls. */
    release: () => pending.push(...delayed.splice(0)) > 0,
    advance,
    /** The next number below `count`; 0 if the choices are used up. */
    choose(count: number): number {
      const choice = count < 2 ? 0 : (choices[chosen++] ?? 0)
      return choice % count
    },
    /** A call of a port, which waits for its turn. */
    wait: (name: string, call: () => unknown): Promise<unknown> => {
      const operation = current as Running
      return new Promise((resolve, reject) => {
        pending.push({ running: operation, name, now: timeOf(operation.instance), call, resolve, reject })
      })
    },
    async start(client: number, instance: number, id: string, work: (as: Running) => void): Promise<Running> {
      position += 1
      advance(1)
      const times = [timeOf(instance)]
      const begun = { completed: Infinity, reply: LOST, calls: [], isRunning: true, isDisturbed: false }
      const operation: Running = { id, client, instance, invoked: position, times, ...begun }
      running.add(operation)
      current = operation
      work(operation)
      await settle(operation)
      return operation
    },
    async next(index: number): Promise<void> {
      const [one] = pending.splice(index, 1) as [Pending]
      current = one.running
      make(one)
      await settle(one.running)
    },
  }
}
