import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { isProofPurpose } from '../../src/domain/identity/proof.js'
import type { MailJob } from '../../src/domain/mail.js'
import type { Store } from '../../src/ports/store.js'
import type { Account, World } from '../model/world.js'
import { emailOf, type Scene } from './clients.js'
import { seal, stepAt } from './made-up.js'
import { ROLES } from './operators.js'
import type { Setting } from './plan.js'

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
export function worldOf({ rules, theme }: Setting): World {
  const first = theme.hasFactor ? { ...ADMIN, factor: FACTOR } : ADMIN
  return {
    accounts: { 1: { email: 1, ...first }, 2: { email: 2, ...ACCOUNT }, 3: { email: 3, ...ADMIN } },
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
export async function storeOf({ accounts, passkeys }: World, jobs: MailJob[]): Promise<Store> {
  const store = createMemoryStore()
  for (const key of ROLES) await store.roles.insert({ uuid: key, key: key as never, label: key })
  for (const [key, { password, hash, roles, factor }] of Object.entries(accounts)) {
    const id = Number(key) as never
    const account = { email: emailOf(id), passwordHash: `${password}#${hash}`, createdAt: 0, roles }
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
export function sceneOf({ clients, theme }: Setting, time: () => number, jobs: MailJob[]): Scene {
  const secrets = theme.hasFactor ? [SECRET] : []
  const { password } = ACCOUNT
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
