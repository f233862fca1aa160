import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import type { Rules, World } from '../model/world.js'
import { emailOf, type Attempt, type Client, type Scene } from './clients.js'
import { attemptOf, CLIENTS, THEMES, type Theme } from './themes.js'
import { ROLES } from './operators.js'
import type { Operation, Reply } from '../linearizability/history.js'
import { ownerOf, seal, stepAt } from './made-up.js'
import { createInstance, type Cases, type Mutation } from './instance.js'
import type { Plan } from './plan.js'
import { createSchedule, MISHAPS, type Mishap, type Running, type Schedule, type Tell } from './schedule.js'

/** A bug that is planted on purpose; `store` changes single calls of ports. */
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
const SKEWS = [0, 0, 0, 0, 2, -7, 60, 3_600, -3_600].map((seconds) => seconds * SECOND)
const WAITS = [1, 1, 2, 5, 9, 10, 11, 11, 60, 895, 905, 3_600]
  .map((seconds) => seconds * SECOND)
  .concat(6 * DAY, 8 * DAY, 31 * DAY)
const PASSWORD = 'secret'
const HASH = 'secret#0' as never

/** The two tabs share a cookie. */
function clientsOf({ clients }: Theme, count: number): readonly Client[] {
  const shared: Client['jar'] = {}
  return clients.slice(0, count).map((index) => {
    const client = CLIENTS[index] as (typeof CLIENTS)[number]
    return { ...client, jar: client.name.startsWith('tab') ? shared : {}, tokens: {} }
  })
}

const pick = <T>(values: readonly T[], number: number | undefined) =>
  values[(number ?? 0) % values.length] as T

function rulesOf([, , , , grace, limit]: readonly number[], { isFactorNeeded = false, loginLimit }: Theme) {
  return {
    ...{ accessToken: 900 * SECOND, refreshToken: 7 * DAY, session: 30 * DAY },
    grace: pick([10, 10, 10, 0], grace) * SECOND,
    sessionLimit: pick([undefined, undefined, 1, 2], limit),
    ...{ resetToken: 1_800 * SECOND, impersonation: 3_600 * SECOND, loginLimit, isFactorNeeded },
  }
}

/** So many calls may be delayed in a theme that chooses them. */
const CHOSEN = 8

function mishapsOf({ mishaps }: Plan, { delayedAfter }: Theme): ReadonlyMap<number, Mishap> {
  if (delayedAfter !== undefined) return new Map(mishaps.map(([call]) => [call % CHOSEN, 'delayed']))
  return new Map(mishaps.map(([call, mishap]) => [call, pick(MISHAPS, mishap)]))
}

/** Account 3 is an administrator. */
const rolesOf = (account: number) => (account !== 2 ? ['admin'] : [])

/** The secret of account 1 in a theme that begins with a factor. */
const SECRET = '0.0'
const FACTOR = { secret: ownerOf(SECRET), begunAt: 0, isActive: true, lastStep: 0, recovery: [] }

async function seed(store: Store, { hasFactor }: Theme): Promise<void> {
  for (const key of ROLES) void store.roles.insert({ uuid: key, key: key as never, label: key })
  for (const account of [1, 2, 3]) {
    const email = emailOf(account) as never
    await store.accounts.insert({ email, passwordHash: HASH, createdAt: 0, roles: rolesOf(account) as never })
  }
  if (!hasFactor) return
  const sealedSecret = await seal.seal(SECRET as never, 1 as never)
  await store.secondFactors.begin(1 as never, { sealedSecret, at: 0 })
  await store.secondFactors.activate(1 as never, { sealedSecret, step: 0 as never, recovery: [], at: 1 })
}

function worldOf(rules: Rules, { hasFactor }: Theme): World {
  const account = { password: PASSWORD, hash: '0', disabled: false, epoch: 1, roles: [], resets: [] }
  return {
    rules,
    accounts: {
      1: { ...account, roles: rolesOf(1), ...(hasFactor && { factor: FACTOR }) },
      2: account,
      3: { ...account, roles: rolesOf(3) },
    },
    ...{ sessions: {}, pets: {}, lastPet: 0, idempotencyKeys: {}, apiKeys: [], attempts: {} },
  }
}

/** What the clients know of the second factor that the owner begins with. */
function factorOf({ hasFactor }: Theme, now: number): Pick<Scene, 'secrets' | 'confirmed' | 'lastStep'> {
  if (!hasFactor) return { secrets: [], confirmed: [], lastStep: new Map() }
  return { secrets: [SECRET], confirmed: [SECRET], lastStep: new Map([[SECRET, stepAt(now) - 1]]) }
}

/** Plays a plan; the same plan is always the same history. */
export async function play(plan: Plan, bug: Bug = {}, tell?: Tell): Promise<Played> {
  const { setting } = plan
  const theme = pick(THEMES, setting[6])
  const rules = rulesOf(setting, theme)
  const [instances, clients] = [1 + ((setting[0] ?? 0) % 3), clientsOf(theme, 2 + ((setting[1] ?? 0) % 5))]
  const memory = createMemoryStore()
  await seed(memory, theme)
  const store = bug.store?.(memory) ?? memory
  const cases: Cases[] = []
  const start = (instance: number) => {
    const { draw, wait, timeOf } = schedule
    const clock = () => timeOf(instance)
    cases[instance] = createInstance(instance, { store, rules, mutation: bug, draw, wait, clock })
  }
  const schedule = createSchedule({
    choices: plan.choices,
    mishaps: mishapsOf(plan, theme),
    after: theme.delayedAfter,
    skews: theme.calm ? [] : [0, pick(SKEWS, setting[2]), pick(SKEWS, setting[3])],
    onKill: start,
    tell,
  })
  for (let instance = 0; instance < instances; instance += 1) start(instance)
  const scene: Scene = {
    ...{ clients, issued: [], resets: [], recovery: [], apiKeys: [], pets: [] },
    ...factorOf(theme, schedule.timeOf(0)),
    passwords: { 1: [PASSWORD], 2: [PASSWORD], 3: [PASSWORD] },
    time: () => schedule.timeOf(0),
  }
  const begun = await run(plan, { schedule, theme, scene, cases, tell })
  return {
    world: worldOf(rules, theme),
    operations: begun.map(([attempt, running]) => operationOf(attempt, running)),
    stuck: begun.flatMap(([{ text }, { isRunning, id }]) => (isRunning ? `${id} ${text}` : [])),
  }
}

type Begun = readonly [Attempt, Running]
type Stage = {
  schedule: Schedule
  theme: Theme
  scene: Scene
  cases: readonly Cases[]
  tell: Tell
}

async function run(
  { actions }: Plan,
  { schedule, theme, scene, cases, tell }: Stage,
): Promise<readonly Begun[]> {
  const waiting = [...actions]
  const busy = new Map<number, Running>()
  const begun: Begun[] = []
  const clientOf = ([client = 0]: readonly number[]) => client % (scene.clients.length + 1)
  const isIdle = (action: readonly number[]) => !busy.get(clientOf(action))?.isRunning

  for (;;) {
    const ready = waiting.findIndex(isIdle)
    const options = schedule.pending() + (ready < 0 ? 0 : 1)
    if (options === 0) {
      if (!schedule.release()) return begun
      continue
    }
    const choice = schedule.choose(options)
    if (choice < schedule.pending()) {
      await schedule.next(choice)
      continue
    }
    const [action] = waiting.splice(ready, 1) as [readonly number[]]
    const [, kind = 0, instance = 0, a = 0, b = 0, c = 0] = action
    const client = scene.clients[clientOf(action)]
    if (!client) {
      const wait =
        theme.calm && kind % 16 > 0 ? pick(WAITS.slice(0, theme.calm), kind >> 4) : pick(WAITS, kind)
      tell?.(`-- ${wait / SECOND} s pass`)
      schedule.advance(wait)
      continue
    }
    const attempt = attemptOf(theme, scene, client, [kind, a, b, c])
    const [at, id] = [instance % cases.length, String(begun.length + 1)]
    tell?.(`${id} ${client.name} to instance ${at + 1}: ${attempt.text}`)
    const running = await schedule.start(clientOf(action), at, id, (as) => {
      attempt.call(cases[at] as Cases).then(
        (result) => {
          attempt.then?.(result as never)
          finish(as, { kind: 'done', answer: attempt.answerOf?.(result as never) })
        },
        (error: unknown) => {
          const reply = replyOf(error, as)
          if (reply.kind === 'refused' && reply.code === 'invalid-token') forget(client)
          finish(as, reply)
        },
      )
    })
    busy.set(clientOf(action), running)
    begun.push([attempt, running])
  }

  function finish(running: Running, reply: Reply): void {
    tell?.(`${running.id} ends: ${textOf(reply)}`)
    schedule.close(running, reply)
  }
}

/** An owner whose login has ended begins again. */
function forget(client: Client): void {
  if (client.kind === 'thief') return
  client.jar.key = undefined
  client.tokens = {}
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

/** A step without its call took effect with the step before it; without an answer it did not happen if it is the last. */
function operationOf({ rule, input, hints }: Attempt, running: Running): Operation {
  const { id, reply, invoked, completed, times, calls } = running
  const isLost = reply.kind === 'lost'
  const never = { at: isLost ? Infinity : completed, now: times[0] as number }
  const last = calls.findLast(({ name }) => !NOT_A_STEP.some((start) => name.startsWith(start)))
  const found = hints.map((hint) => hinted(calls, hint))
  const taken = isLost ? found.findLastIndex((call) => call !== undefined) : hints.length
  const moments: Operation['moments'][number][] = []
  for (const [step, call] of found.entries())
    moments.push(call ?? (step > taken ? never : (moments.at(-1) ?? last ?? never)))
  return { id, rule, input, reply, invoked, completed, times, moments: ascending(moments) }
}

/** The call with this name: the last, or the call of this number; `*` stands for any text. */
function hinted(calls: Running['calls'], hint: string) {
  const [pattern = '', number] = hint.split('#')
  const [start = '', end] = pattern.split('*')
  const found = calls.filter(({ name }) =>
    end === undefined ? name === start : name.startsWith(start) && name.endsWith(end),
  )
  return number === undefined ? found.at(-1) : found[Number(number) - 1]
}

/** No step is later than the next. */
function ascending(moments: Operation['moments']): Operation['moments'] {
  return moments.map((moment, step) =>
    moments.slice(step).reduce((first, one) => (one.at < first.at ? one : first), moment),
  )
}
