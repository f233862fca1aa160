import { createMemoryStore } from '../../src/adapters/memory/index.js'
import type { UseCases } from '../../src/application/wiring.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import type { World } from '../model/world.js'
import { attemptOf, emailOf, ROLES, type Attempt, type Client, type Scene } from './clients.js'
import type { Operation, Reply } from './history.js'
import { createInstance, type Mutation } from './instance.js'
import type { Plan } from './plan.js'
import { createSchedule, MISHAPS, type Running, type Schedule } from './schedule.js'

/** A bug that is planted on purpose; `store` changes what one call of a port does. */
export type Bug = Mutation & { readonly store?: (store: Store) => Store }

/** A history, with its model. */
export type Played = {
  readonly world: World
  readonly operations: readonly Operation[]
  /** Operations that wait for ever. */
  readonly stuck: readonly string[]
}

const SECOND = 1_000
const DAY = 86_400_000
const SKEWS = [0, 0, 2 * SECOND, -7 * SECOND, 60 * SECOND, 3_600 * SECOND, -3_600 * SECOND]
const WAITS = [1, 5, 9, 10, 11, 60, 895, 905, 3_600]
  .map((seconds) => seconds * SECOND)
  .concat(6 * DAY, 8 * DAY, 31 * DAY)
const PASSWORD = 'secret'
const HASH = 'secret#0' as never

const CLIENTS: readonly Pick<Client, 'name' | 'kind' | 'account'>[] = [
  { name: 'tab 1', kind: 'owner', account: 1 },
  { name: 'tab 2', kind: 'owner', account: 1 },
  { name: 'thief', kind: 'thief', account: 1 },
  { name: 'operator', kind: 'operator', account: 1 },
  { name: 'telephone', kind: 'owner', account: 1 },
  { name: 'other user', kind: 'owner', account: 2 },
]

function clientsOf(count: number): readonly Client[] {
  const shared: Client['jar'] = {}
  return CLIENTS.slice(0, count).map((client, index) => ({
    ...client,
    jar: index < 2 ? shared : {},
    tokens: {},
  }))
}

const pick = <T>(values: readonly T[], number: number | undefined) =>
  values[(number ?? 0) % values.length] as T

function settingsOf([, , , , grace, limit]: readonly number[]) {
  const lifetimes = {
    accessToken: 900 * SECOND,
    refreshToken: 7 * DAY,
    session: 30 * DAY,
    refreshGrace: pick([10, 10, 10, 0], grace) * SECOND,
  }
  return { lifetimes, sessionLimit: pick([undefined, undefined, 1, 2], limit) }
}

async function seed(store: Store): Promise<void> {
  for (const key of ROLES) void store.roles.insert({ uuid: key, key: key as never, label: key })
  for (const account of [1, 2])
    await store.accounts.insert({ email: emailOf(account) as never, passwordHash: HASH, createdAt: 0 })
}

function worldOf({ lifetimes, sessionLimit }: ReturnType<typeof settingsOf>): World {
  const { accessToken, refreshToken, session, refreshGrace: grace } = lifetimes
  const account = { password: PASSWORD, disabled: false, epoch: 1, roles: [] }
  return {
    rules: { accessToken, refreshToken, session, grace, sessionLimit },
    accounts: { 1: account, 2: account },
    sessions: {},
  }
}

/** Plays a plan; the same plan is always the same history. */
export async function play(
  plan: Plan,
  bug: Bug = {},
  tell: (line: string) => void = () => undefined,
): Promise<Played> {
  const { setting } = plan
  const settings = settingsOf(setting)
  const [instances, clients] = [1 + ((setting[0] ?? 0) % 3), clientsOf(2 + ((setting[1] ?? 0) % 5))]
  const memory = createMemoryStore()
  await seed(memory)
  const store = bug.store?.(memory) ?? memory
  const cases: UseCases[] = []
  const start = (instance: number) => {
    const { draw, wait, timeOf } = schedule
    const clock = () => timeOf(instance)
    cases[instance] = createInstance(instance, { store, settings, mutation: bug, draw, wait, clock })
  }
  const schedule = createSchedule({
    choices: plan.choices,
    mishaps: new Map(plan.mishaps.map(([call, mishap]) => [call, pick(MISHAPS, mishap)])),
    skews: [0, pick(SKEWS, setting[2]), pick(SKEWS, setting[3])],
    onKill: start,
    tell,
  })
  for (let instance = 0; instance < instances; instance += 1) start(instance)
  const scene: Scene = { clients, issued: [], passwords: { 1: [PASSWORD], 2: [PASSWORD] } }
  const begun = await run(plan, { schedule, scene, cases, tell })
  return {
    world: worldOf(settings),
    operations: begun.map(([attempt, running]) => operationOf(attempt, running)),
    stuck: begun.flatMap(([{ text }, { isRunning, id }]) => (isRunning ? `${id} ${text}` : [])),
  }
}

type Begun = readonly [Attempt, Running]
type Stage = { schedule: Schedule; scene: Scene; cases: readonly UseCases[]; tell: (line: string) => void }

async function run({ actions }: Plan, { schedule, scene, cases, tell }: Stage): Promise<readonly Begun[]> {
  const waiting = [...actions]
  const busy = new Map<number, Running>()
  const begun: Begun[] = []
  const clientOf = ([client = 0]: readonly number[]) => client % (scene.clients.length + 1)
  const isIdle = (action: readonly number[]) => !busy.get(clientOf(action))?.isRunning

  for (;;) {
    const ready = waiting.findIndex(isIdle)
    const options = schedule.pending() + (ready < 0 ? 0 : 1)
    if (options === 0) return begun
    const choice = schedule.choose(options)
    if (choice < schedule.pending()) {
      await schedule.next(choice)
      continue
    }
    const [action] = waiting.splice(ready, 1) as [readonly number[]]
    const [, kind = 0, instance = 0, a = 0, b = 0, c = 0] = action
    const client = scene.clients[clientOf(action)]
    if (!client) {
      const wait = pick(WAITS, kind)
      tell(`-- ${wait / SECOND} s pass`)
      schedule.advance(wait)
      continue
    }
    const attempt = attemptOf(scene, client, [kind, a, b, c])
    const [at, id] = [instance % cases.length, String(begun.length + 1)]
    tell(`${id} ${client.name} to instance ${at + 1}: ${attempt.text}`)
    const running = await schedule.start(clientOf(action), at, id, (as) => {
      attempt.call(cases[at] as UseCases).then(
        (result) => {
          attempt.then?.(result as never)
          finish(as, { kind: 'done', answer: attempt.answerOf?.(result as never) })
        },
        (error: unknown) => finish(as, replyOf(error, as)),
      )
    })
    busy.set(clientOf(action), running)
    begun.push([attempt, running])
  }

  function finish(running: Running, reply: Reply): void {
    tell(`${running.id} ends: ${textOf(reply)}`)
    schedule.close(running, reply)
  }
}

const UNKNOWN: readonly string[] = ['unavailable', 'overloaded', 'incompatible-store']

/** Only a call that was disturbed may fail without a reason. */
function replyOf(error: unknown, { isDisturbed }: Running): Reply {
  if (isRefusal(error) && !UNKNOWN.includes(error.code)) return { kind: 'refused', code: error.code }
  return isDisturbed ? { kind: 'lost' } : { kind: 'refused', code: `error: ${String(error)}` as never }
}

function textOf(reply: Reply): string {
  if (reply.kind === 'lost') return 'an error'
  return reply.kind === 'refused' ? `refused, ${reply.code}` : `done ${JSON.stringify(reply.answer ?? '')}`
}

const NOT_A_STEP = ['audit.', 'mailQueue.', 'attempts.', 'hasher.']

/** A step without its call took effect with the step before it, or with the last call. */
function operationOf({ rule, input, hints }: Attempt, running: Running): Operation {
  const { id, reply, invoked, completed, times, calls } = running
  const isLost = reply.kind === 'lost'
  const never = { at: isLost ? Infinity : completed, now: times[0] as number }
  const last = calls.findLast(({ name }) => !NOT_A_STEP.some((start) => name.startsWith(start)))
  const moments: Operation['moments'][number][] = []
  for (const [step, hint] of hints.entries()) {
    const call = calls.findLast(({ name }) => name.startsWith(hint))
    const fallback = isLost && step === hints.length - 1 ? undefined : (moments.at(-1) ?? last)
    moments.push(call ?? fallback ?? never)
  }
  return { id, rule, input, reply, invoked, completed, times, moments }
}
