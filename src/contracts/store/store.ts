import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { ProjectId } from '../../domain/project/project.js'
import { isRefusal } from '../../domain/refusal.js'
import type { Call } from '../../ports/calls/call.js'
import { STORE_CALLS } from '../../ports/calls/store.js'
import type { Store } from '../../ports/store.js'
import { enrol, logIn } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import {
  aMailJob,
  anActivation,
  anAuditRecord,
  aNewAccount,
  aNewApiKey,
  aPet,
  apiKeyDigestOf,
  aConsumption,
  anIssuedResetToken,
  aProject,
  aRole,
  aRotation,
  aSession,
  emailOf,
  hashOf,
  NOW,
  recoveryDigestOf,
  sealedSecretOf,
  stepOf,
  aLoginRotation,
} from '../samples.js'

const law = lawOf('store')
const accountLaw = lawOf('store', enrol)

export const wholeStoreLaws: readonly Law[] = [
  law('an open store is ready')
    .protects('The service reports that it is up.')
    .check(async (store) => {
      await store.ready()
      await enrol(store)
      await store.ready()
    }),
  law('closing twice is harmless')
    .protects('A repeated shutdown does not crash.')
    .check(async (store) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
    }),
  accountLaw('every call after close is unavailable')
    .protects('A late request gets a request to retry, not a wrong answer.')
    .check(async (store, account) => {
      await logIn(store, account)
      const calls = everyCall(store)
      await store.close()
      for (const [name, call] of calls) await assert.rejects(call, isUnavailable, `${name} is unavailable`)
    }),
  law('a call that is under way at close succeeds or is unavailable')
    .protects('A shutdown has only these two effects on a request.')
    .check(async (store) => {
      await race(async (caller) => {
        if (caller === 8) await store.close()
        else await doneOrUnavailable(store.pets.insert(aPet(`Rex ${caller}`)))
      })
      await assert.rejects(store.ready(), isUnavailable)
    }),
]

export function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && error.code === 'unavailable'
}

async function doneOrUnavailable(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => assert.ok(isUnavailable(error), `it is ${String(error)}`))
}

type Port = Exclude<keyof Store, 'ready' | 'close' | 'copyableRecords'>

const [ID, PET, PROJECT, API_KEY] = [1 as AccountId, 1 as PetId, 1 as ProjectId, 1 as ApiKeyId]
const EMAIL = emailOf('ann')
const [OLD, NEW] = [hashOf('ann'), hashOf('new')]
const ISSUED = anIssuedResetToken('late')
const SESSION = aSession({ ...aNewAccount('ann'), id: ID, epoch: 1 as Epoch, roles: [] }, 'late')
const LOGIN = { sessionId: SESSION.id, accountId: ID, epoch: 1 as Epoch }
const JOB = aMailJob('late')
const ROLE = aRole('editor')

/** Arguments by the names that `STORE_CALLS` gives them: a call with known names needs no entry. */
const ARGUMENTS = {
  ...{ accountId: ID, createdBy: ID, email: EMAIL, limit: 10, most: 10 },
  ...{ at: NOW, before: NOW, createdAt: NOW, dueAt: NOW, until: NOW },
  ...{ after: undefined, former: undefined, idempotency: undefined, order: undefined, signal: undefined },
}

/** Arguments of one port, where the same name means something else in another port. */
const ARGUMENTS_OF: { readonly [Name in Port]: Readonly<Record<string, unknown>> } = {
  accounts: {
    id: ID,
    account: aNewAccount('late'),
    search: { limit: 10 },
    expected: OLD,
    next: NEW,
    hash: NEW,
    change: { id: ID, expected: OLD, next: NEW },
    epoch: 1,
    token: ISSUED,
    digest: ISSUED.digest,
    input: aConsumption({ email: EMAIL }, ISSUED),
  },
  sessions: {
    id: SESSION.id,
    keep: SESSION.id,
    session: SESSION,
    keyDigest: SESSION.current.keyDigest,
    request: { ...aRotation(SESSION), accountId: ID, limit: 10, at: NOW },
  },
  revocations: { login: LOGIN, request: aLoginRotation(LOGIN), sessionId: LOGIN.sessionId },
  attempts: {
    counts: [{ name: 'name', limit: { count: 1, window: 1 } }],
    attempt: { counts: [{ name: 'name', until: NOW }] },
  },
  secondFactors: {
    id: ID,
    pending: { sealedSecret: sealedSecretOf('next'), at: NOW },
    activation: anActivation('before'),
    step: stepOf(),
    digest: recoveryDigestOf('late'),
    renewal: { proof: { kind: 'step', step: stepOf(1) }, recovery: [] },
    before: sealedSecretOf('before'),
    next: sealedSecretOf('next'),
  },
  audit: { record: anAuditRecord('late'), request: { limit: 10 } },
  mailQueue: { job: JOB, ids: [JOB.id], claim: { id: JOB.id, until: NOW } },
  pets: {
    id: PET,
    ids: [PET],
    draft: aPet('Rex'),
    change: { kind: 'cat', hunts: true },
    expected: undefined,
  },
  projects: { id: PROJECT, draft: aProject('House') },
  roles: { role: ROLE, key: ROLE.key },
  apiKeys: { id: API_KEY, key: aNewApiKey('late'), digest: apiKeyDigestOf('late') },
}

/** Every call of every port. */
function everyCall(store: Store): readonly (readonly [name: string, call: () => Promise<unknown>])[] {
  const ofPorts = Object.entries(ARGUMENTS_OF).flatMap(([port, ofPort]) =>
    Object.entries<Call>(STORE_CALLS[port as Port]).map(([name, { args }]) => {
      const known: Readonly<Record<string, unknown>> = { ...ARGUMENTS, ...ofPort }
      const inputs = args.map((arg) => {
        assert.ok(arg in known, `ARGUMENTS_OF has no entry for the argument ${arg} of ${port}.${name}`)
        return known[arg]
      })
      const owner = store[port as Port]
      const call = Reflect.get(owner, name) as (...given: readonly unknown[]) => Promise<unknown>
      return [`${port}.${name}`, () => Reflect.apply(call, owner, inputs)] as const
    }),
  )
  return [['ready', () => store.ready()], ...ofPorts]
}
