import { setImmediate } from 'node:timers/promises'
import type { MailJob } from '../../src/domain/mail.js'
import type { Operation, Reply } from '../linearizability/search.js'
import type { World } from '../model/world.js'
import { lineOf } from './attempt.js'
import { sceneOf, storeOf, worldOf } from './beginning.js'
import type { Client } from './clients.js'
import { createInstance, type Bug, type Cases } from './instance.js'
import { recordOf, replyOf, type Running } from './operation.js'
import { settingOf, waitOf, type Plan } from './plan.js'
import { createSchedule } from './schedule.js'
import { attemptOf } from './themes.js'

/** A history together with its model. */
export type Played = {
  readonly world: World
  readonly operations: readonly Operation[]
  /** Operations that wait forever. */
  readonly stuck: readonly string[]
}

/** Plays a plan; the same plan always gives the same history. */
export async function play(plan: Plan, bug: Bug = {}, tell?: (line: string) => void): Promise<Played> {
  // A history consists only of microtasks and ticks, so timers and signals must get a turn between two histories.
  await setImmediate()
  const setting = settingOf(plan, bug.theme)
  const { theme, rules } = setting
  const world = worldOf(setting)
  const jobs: MailJob[] = []
  const memory = await storeOf(world, jobs)
  const store = bug.store?.(memory) ?? memory
  const schedule = createSchedule({ ...setting, onKill: startInstance, tell })
  const scene = sceneOf(setting, () => schedule.timeOf(0), jobs)
  const waiting = [...setting.actions]
  const cases: Cases[] = []

  function startInstance(instance: number): void {
    cases[instance] = createInstance(instance, { schedule, store, rules, bug })
  }

  function ready() {
    const index = waiting.findIndex(({ client }) => !client || !schedule.running.has(client))
    return index < 0 ? undefined : () => waiting.splice(index, 1).forEach(begin)
  }

  function begin({ client, kind, instance, numbers }: (typeof waiting)[number]): void {
    if (client) {
      const attempt = attemptOf(theme, kind, { ...scene, client, ...numbers })
      void follow(schedule.start(client, instance, attempt))
      return
    }
    const wait = waitOf(theme, kind)
    tell?.(`-- ${wait / 1000} s pass`)
    schedule.advance(wait)
  }

  async function follow(operation: Running): Promise<void> {
    const { attempt, client, instance } = operation
    const reply = await attempt.call(cases[instance] as Cases).then(
      (result): Reply => ({ kind: 'done', answer: attempt.answerOf?.(result as never) }),
      (error: unknown) => replyOf(error, operation),
    )
    if (reply.kind === 'refused' && reply.code === 'invalid-token') forget(client)
    schedule.end(operation, reply)
  }

  for (let instance = 0; instance < setting.instances; instance += 1) startInstance(instance)
  await schedule.run(ready)
  return {
    world,
    operations: schedule.operations.map(recordOf),
    stuck: [...schedule.running.values()].map(({ id, attempt }) => `${id} ${lineOf(attempt)}`),
  }
}

/** Removes the credentials of an owner whose login has ended, so that the owner logs in again. */
function forget(client: Client): void {
  if (client.kind === 'thief') return
  client.jar.key = undefined
  client.tokens = {}
}
