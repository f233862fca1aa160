import assert from 'node:assert/strict'
import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { ProjectId } from '../../domain/project/project.js'
import { isRefusal } from '../../domain/refusal.js'
import type { Call } from '../../ports/calls/call.js'
import { STORE_CALLS } from '../../ports/calls/store.js'
import type { Store, StorePort } from '../../ports/store.js'
import { assertAccount, addAccount, ensureRole, logIn } from '../arrangements.js'
import { race, lawOf, type Law } from '../law.js'
import {
  aPet,
  aLoginRotation,
  aMailJob,
  anActivation,
  anAuditRecord,
  aNewAccount,
  aNewApiKey,
  aPasskey,
  apiKeyDigestOf,
  aProject,
  aProof,
  aRole,
  aRotation,
  aSession,
  hashOf,
  NOW,
  passkeyIdOf,
  proofDigestOf,
  proofIdOf,
  recoveryDigestOf,
  sealedSecretOf,
  SECOND,
  sessionIdOf,
  aStep,
} from '../samples.js'

const law = lawOf('store')
const accountLaw = lawOf('store', addAccount)

/** Contract tests for `ready` and `close`, and for every call of a closed store. */
export const wholeStoreLaws: readonly Law[] = [
  law('an open store is ready')
    .protects('The service can report that it is ready.')
    .check(async (store) => {
      await store.ready()
      await addAccount(store)
      await store.ready()
    }),
  law('later changes to the inputs or results of a call do not change the store')
    .protects('A caller that reuses an object does not write to the store by accident.')
    .check(async (store) => {
      // In every law, the inputs and the result of each store call are overwritten after the call.
      const role = await ensureRole(store, 'editor')
      const ann = await addAccount(store, 'ann', { roles: [role.key] })
      for (const _ of ['first', 'second']) await assertAccount(store, ann)
      assert.deepEqual(await store.roles.list(), [role])
    }),
  law('a second close has no effect')
    .protects('A repeated shutdown does not crash.')
    .check(async (store) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
    }),
  accountLaw('every call after close reports that the store is unavailable')
    .protects('A request after shutdown gets a retryable error.')
    .check(async (store, account) => {
      await logIn(store, account)
      await store.close()
      await assertUnavailable(store, (name) => !name.startsWith('copyableRecords.'))
    }),
  law('a call in progress during close either succeeds or fails with `unavailable`')
    .protects('A shutdown either lets a request finish or fails it with a clear error.')
    .check(async (store) => {
      await race(async (caller) => {
        if (caller === 8) await store.close()
        else await doneOrUnavailable(store.pets.insert(aPet(`Rex ${caller}`)))
      })
      await assert.rejects(store.ready(), isUnavailable)
    }),
]

/** Asserts that each selected call rejects with `unavailable`, because the store is closed. */
export async function assertUnavailable(store: Store, isMeant: (name: string) => boolean): Promise<void> {
  for (const [name, call] of Object.entries(CALLS).filter(([one]) => isMeant(one)))
    await assert.rejects(() => call(store), isUnavailable, `${name} is unavailable`)
}

function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && error.code === 'unavailable'
}

async function doneOrUnavailable(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => assert.ok(isUnavailable(error), `it is ${String(error)}`))
}

const ID = 1 as AccountId
const [PET, PROJECT, API_KEY] = [1 as PetId, 1 as ProjectId, 1 as ApiKeyId]
const LATE = NOW + 3 * SECOND
const OWNER: Account = { ...aNewAccount('ann'), id: ID, epoch: 1 as Epoch, roles: [] }
const [OLD, NEW] = [hashOf('ann'), hashOf('new')]
const SESSION = aSession(OWNER, 'login')
const LIMIT = { count: 2, window: SECOND }
const JOB = aMailJob('0')
const [EDITOR, ADMIN] = [aRole('editor'), aRole('admin')]

/** Sample arguments, keyed by their names in `STORE_CALLS`. A call whose arguments are all listed needs no separate entry. */
const ARGUMENTS = {
  ...{ accountId: ID, createdBy: ID, email: OWNER.email, limit: 10, max: 10 },
  ...{ at: NOW, before: LATE, createdAt: NOW, dueAt: LATE, until: LATE },
  ...{ after: undefined, former: undefined, idempotency: undefined, order: undefined, signal: undefined },
}

/** Sample arguments of each port, keyed by argument name. */
const ARGUMENTS_OF: { readonly [Port in StorePort]: Readonly<Record<string, unknown>> } = {
  accounts: {
    id: ID,
    ids: [ID],
    account: { ...aNewAccount('carol'), roles: [ADMIN.key] },
    search: { role: EDITOR.key, limit: 10 },
    expected: OLD,
    next: NEW,
    hash: NEW,
    change: { id: ID, expected: OLD, next: NEW },
    epoch: OWNER.epoch,
    since: undefined,
  },
  sessions: {
    id: SESSION.id,
    keep: sessionIdOf('other'),
    session: aSession(OWNER, 'second'),
    max: 1,
    keyDigest: SESSION.current.keyDigest,
    request: { ...aRotation(SESSION), accountId: ID, limit: 10, at: NOW },
  },
  revocations: {
    login: { sessionId: sessionIdOf('gone'), accountId: ID, epoch: OWNER.epoch },
    request: aLoginRotation({ sessionId: sessionIdOf('new') }),
    sessionId: sessionIdOf('new'),
  },
  attempts: {
    counts: ['new', 'other'].map((name) => ({ name, limit: LIMIT })),
    attempt: { counts: [{ name: 'full', until: NOW + SECOND }] },
    names: ['full'],
  },
  secondFactors: {
    id: ID,
    pending: { sealedSecret: sealedSecretOf('next'), at: NOW },
    activation: anActivation('next'),
    taken: aStep(1),
    digest: recoveryDigestOf('factor one'),
    renewal: { proof: { kind: 'step', ...aStep(1) }, recovery: [] },
    before: sealedSecretOf('factor'),
    next: sealedSecretOf('next'),
  },
  passkeys: {
    id: passkeyIdOf('phone'),
    passkey: aPasskey(OWNER, 'laptop'),
    epoch: OWNER.epoch,
    use: { counter: 1, backedUp: true, at: NOW },
    name: 'My phone',
  },
  proofs: {
    id: proofIdOf('0'),
    proof: aProof('login', 'new', { accountId: ID }),
    renewal: { id: proofIdOf('0'), until: LATE, digest: proofDigestOf('renewed') },
    use: { digest: proofDigestOf('0'), at: NOW },
    binding: proofDigestOf('browser'),
    proven: { digest: proofDigestOf('1'), at: NOW, account: { createdAt: NOW } },
    undo: aProof('undo-email', 'undo', { accountId: ID }),
    purpose: 'login',
    hash: NEW,
  },
  audit: { record: anAuditRecord('1'), request: { limit: 10 } },
  mailQueue: { job: aMailJob('1'), ids: [JOB.id], claim: { id: JOB.id, until: LATE } },
  pets: {
    id: PET,
    ids: [PET, 2 as PetId],
    draft: aPet('Max'),
    change: { kind: 'dog', bark: true },
    expected: undefined,
  },
  projects: { id: PROJECT, draft: aProject('House') },
  roles: { role: aRole('new'), key: EDITOR.key },
  apiKeys: { id: API_KEY, key: aNewApiKey('new', [ADMIN]), digest: apiKeyDigestOf('kept') },
  copyableRecords: {
    kind: 'pet',
    records: [{ ...aPet('Max'), id: 9, revision: 1 }],
    source: 'another store',
  },
}

/** Every call of every port, keyed by `port.call`, and the call `ready`. */
export const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  ready: (store) => store.ready(),
  ...Object.fromEntries(
    Object.keys(ARGUMENTS_OF).flatMap((port) =>
      Object.entries<Call>(STORE_CALLS[port as StorePort]).map(
        ([name, { args }]) =>
          [
            `${port}.${name}`,
            async (store: Store) => await makeCall(store, port as StorePort, name, args),
          ] as const,
      ),
    ),
  ),
}

async function makeCall(
  store: Store,
  port: StorePort,
  name: string,
  args: readonly string[],
): Promise<unknown> {
  const known: Readonly<Record<string, unknown>> = { ...ARGUMENTS, ...ARGUMENTS_OF[port] }
  const inputs = args.map((arg) => {
    assert.ok(arg in known, `ARGUMENTS_OF has no entry for the argument ${arg} of ${port}.${name}`)
    return known[arg]
  })
  const owner = store[port] as object
  const call = Reflect.get(owner, name) as (...args: readonly unknown[]) => Promise<unknown>
  return await Reflect.apply(call, owner, inputs)
}
