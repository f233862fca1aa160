import { unavailable } from '../../src/domain/refusal.js'
import type { Reply } from '../linearizability/search.js'
import { lineOf, type Attempt, replyText, type Running } from './attempt.js'
import type { Client } from './clients.js'
import type { Mishap, Setting } from './plan.js'

/** A port call that waits to be scheduled. */
type Call = {
  readonly operation: Running
  readonly name: string
  /** When the instance made the call. */
  readonly now: number
  readonly call: () => unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Options = Pick<Setting, 'choices' | 'mishaps' | 'after' | 'skews'> & {
  readonly onKill: (instance: number) => void
  /** Prints a line about the history. If `undefined`, no lines are created. */
  readonly tell: ((line: string) => void) | undefined
}

const START = Date.UTC(2026, 0, 1)
const UNAVAILABLE = unavailable('simulated')

export type Schedule = ReturnType<typeof createSchedule>

/** Controls the clock, the generated names, and the order in which port calls are made. */
export function createSchedule({ choices, mishaps, after, skews, onKill, tell }: Options) {
  const operations: Running[] = []
  /** A client has one operation at a time. */
  const running = new Map<Client, Running>()
  const pending: Call[] = []
  const delayed: Call[] = []
  let [time, position, calls, chosen, drawn] = [START, 0, 0, 0, 0]
  let current: Running | undefined

  const timeOf = (instance: number) => time + (skews[instance] ?? 0)

  function advance(by: number): void {
    time += by
    for (const { times, instance } of running.values()) times.push(timeOf(instance))
  }

  function start(client: Client, instance: number, attempt: Attempt): Running {
    position += 1
    advance(1)
    const id = String(operations.length + 1)
    tell?.(`${id} ${client.name} to instance ${instance + 1}: ${lineOf(attempt)}`)
    current = {
      ...{ id, client, instance, attempt, invoked: position, completed: Infinity },
      ...{ reply: { kind: 'lost' }, times: [timeOf(instance)], calls: [], isDisturbed: false },
    }
    operations.push(current)
    running.set(client, current)
    return current
  }

  function end(operation: Running, reply: Reply): void {
    tell?.(`${operation.id} ends: ${replyText(reply)}`)
    if (running.get(operation.client) !== operation) return
    running.delete(operation.client)
    operation.reply = reply
    position += 1
    if (reply.kind !== 'lost') operation.completed = position
  }

  /** Discards the calls of the instance, so that its operations get no reply. */
  function kill(killed: number): void {
    tell?.(`   instance ${killed + 1} is killed and starts again`)
    for (const calls of [pending, delayed])
      calls.push(...calls.splice(0).filter(({ operation }) => operation.instance !== killed))
    for (const { client, instance } of running.values())
      if (instance === killed) {
        running.delete(client)
        position += 1
      }
    onKill(killed)
  }

  function nextMishap({ calls: made }: Running): Mishap | undefined {
    const isTarget = after === undefined || made.some(({ name }) => name === after)
    return isTarget ? mishaps.get(calls++) : undefined
  }

  function make(call: Call): void {
    const { operation, name } = call
    current = operation
    position += 1
    const mishap = nextMishap(operation)
    tell?.(`   ${operation.id} ${name}${mishap ? `: ${mishap}` : ''}`)
    if (mishap === undefined) call.resolve(answerOf(call))
    else if (mishap === 'delayed') delayed.push(call)
    else disturb(call, mishap)
  }

  function answerOf({ operation, name, now, call }: Call): unknown {
    operation.calls.push({ name, at: position, now })
    return call()
  }

  function disturb(call: Call, mishap: Exclude<Mishap, 'delayed'>): void {
    const { instance } = call.operation
    // Marks all operations of the instance, because they can share a computation.
    for (const one of running.values()) one.isDisturbed ||= one.instance === instance
    if (mishap === 'answer lost' || mishap === 'killed after')
      void Promise.resolve(answerOf(call)).catch(() => undefined)
    if (mishap === 'broken') call.reject(new Error('simulated'))
    else if (mishap === 'refused' || mishap === 'answer lost') call.reject(UNAVAILABLE)
    else kill(instance)
  }

  /**
   * Resolves when the queue of microtasks is empty, because then nothing continues without a port call. A tick costs less than an
   * immediate, which waits for a turn of the event loop.
   */
  const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

  return {
    ...{ timeOf, advance, start, end, operations, running },
    draw: () => `${current?.id ?? '0'}.${(drawn += 1)}`,
    wait: (name: string, call: () => unknown): Promise<unknown> => {
      const operation = current as Running
      return new Promise((resolve, reject) => {
        pending.push({ operation, name, now: timeOf(operation.instance), call, resolve, reject })
      })
    },
    /** Makes calls, and lets clients start operations, until there is nothing left to do. */
    async run(ready: () => (() => void) | undefined): Promise<void> {
      for (;;) {
        const begin = ready()
        if (!begin && pending.length === 0) pending.push(...delayed.splice(0))
        const options = pending.length + (begin ? 1 : 0)
        if (options === 0) return
        const choice = options < 2 ? 0 : (choices[chosen++] ?? 0) % options
        const [call] = pending.splice(choice, 1)
        if (call) make(call)
        else begin?.()
        await settled()
      }
    },
  }
}
