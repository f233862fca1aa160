import { setImmediate } from 'node:timers/promises'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { isProofPurpose } from '../../src/domain/identity/proof.js'
import type { MailJob } from '../../src/domain/mail.js'
import { defined } from '../../src/domain/plain-data.js'
import type { Store } from '../../src/ports/store.js'
import type { Reply } from '../linearizability/search.js'
import type { World, Account } from '../model/world.js'
import { lineOf, recordOf, replyOf, type Running } from './attempt.js'
import { type Client, emailOf, type Scene } from './clients.js'
import { createInstance, type Bug, type Cases } from './instance.js'
import { seal, stepAt } from './made-up.js'
import { ROLES } from './operators.js'
import { settingOf, waitOf, type Plan, type Setting } from './plan.js'
import { createSchedule } from './schedule.js'
import { attemptOf } from './themes.js'

export type Played = Awaited<ReturnType<typeof play>>

/** Plays a plan; the same plan always gives the same history. Returns the history together with its model. */
export async function play(plan: Plan, bug: Bug = {}, tell?: (line: string) => void) {
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
    /** Operations that wait forever. */
    stuck: [...schedule.running.values()].map(({ id, attempt }) => `${id} ${lineOf(attempt)}`),
  }
}

/** Removes the credentials of an owner whose login has ended, so that the owner logs in again. */
function forget(client: Client): void {
  if (client.kind === 'thief') return
  client.jar.key = undefined
  client.tokens = {}
}

/** The operation number for data that existed before the first operation. */
const NONE = '0'
const ACCOUNT: Omit<Account, 'email'> = {
  ...{ password: 'secret', hash: NONE, disabled: false, epoch: 1, roles: [], resets: [] },
}
const ADMIN = { ...ACCOUNT, roles: ['admin'] }
const FACTOR = { secret: NONE, begunAt: 0, isActive: true, lastStep: 0, recovery: [] }
const SECRET = `${NONE}.0`

const PASSKEYS = { passkey1: { account: 1, counter: 0 }, passkey2: { account: 2, counter: 0 } }
const FIRST_COUNTERS = Object.entries(PASSKEYS).map(([id, { counter }]) => [id, counter] as const)

/** The initial state of the model, in which account 3 is an administrator. */
function worldOf({ rules, theme }: Setting): World {
  const second = theme.lacksPassword ? { ...ACCOUNT, password: undefined } : ACCOUNT
  const first = theme.hasFactor ? { ...ADMIN, factor: FACTOR } : ADMIN
  return {
    accounts: { 1: { email: 1, ...first }, 2: { email: 2, ...second }, 3: { email: 3, ...ADMIN } },
    ...{
      rules,
      lastAccount: 3,
      sessions: {},
      proofs: {},
      challenges: {},
      passkeys: theme.hasPasskeys ? PASSKEYS : {},
    },
    ...{ apiKeys: [], attempts: {} },
    ...{ pets: {}, lastPet: 0, idempotencyKeys: {} },
  }
}

/** Creates a store with the accounts of the initial state. The store adds the mail jobs of proofs to `jobs`. */
async function storeOf({ accounts, passkeys }: World, jobs: MailJob[]): Promise<Store> {
  const store = createMemoryStore()
  for (const key of ROLES) await store.roles.insert({ uuid: key, key: key as never, label: key })
  for (const [key, { password, hash, roles, factor }] of Object.entries(accounts)) {
    const id = Number(key) as never
    const passwordHash = password === undefined ? undefined : `${password}#${hash}`
    const account = { email: emailOf(id), ...defined({ passwordHash }), createdAt: 0, roles }
    await store.accounts.insert(account as never)
    if (!factor) continue
    const sealedSecret = await seal.seal(SECRET as never, id)
    await store.secondFactors.begin(id, { sealedSecret, at: factor.begunAt })
    await store.secondFactors.activate(id, { sealedSecret, step: 0 as never, recovery: [], at: 1 })
  }
  for (const [id, { account: accountId, counter }] of Object.entries(passkeys)) {
    const passkey = { id, accountId, publicKey: id, counter, synced: false, backedUp: false, transports: [] }
    await store.passkeys.add({ ...passkey, name: id, createdAt: 0 } as never, 1 as never)
  }
  const enqueue = (job: MailJob) => {
    if (isProofPurpose(job.kind)) jobs.push(job)
    return Promise.resolve('queued' as const)
  }
  return { ...store, mailQueue: { ...store.mailQueue, enqueue } }
}

/** The facts that the clients know before their first action. */
function sceneOf({ clients, theme }: Setting, time: () => number, jobs: MailJob[]): Scene {
  const secrets = theme.hasFactor ? [SECRET] : []
  const { password = '' } = ACCOUNT
  return {
    ...{ clients, time, issued: [], resets: [], recovery: [], apiKeys: [], pets: [] },
    ...{ challenges: [], counters: new Map(theme.hasPasskeys ? FIRST_COUNTERS : []) },
    ...{ jobs, sentJobs: [], mails: [], browsers: new Map() },
    emails: { 1: [1], 2: [2], 3: [3] },
    passwords: { 1: [password], 2: [password], 3: [password] },
    ...{ secrets, confirmed: [...secrets] },
    lastStep: new Map(secrets.map((secret) => [secret, stepAt(time()) - 1])),
  }
}
