import assert from 'node:assert/strict'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import type { ProjectId } from '../../domain/project/project.js'
import { isRefusal } from '../../domain/refusal.js'
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
  pageLimitOf,
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
type Inputs<Calls> = {
  readonly [Call in keyof Calls]: Calls[Call] extends (...inputs: infer Given) => unknown ? Given : never
}

const [ID, PET, PROJECT, API_KEY] = [1 as AccountId, 1 as PetId, 1 as ProjectId, 1 as ApiKeyId]
const EMAIL = emailOf('ann')
const [OLD, NEW] = [hashOf('ann'), hashOf('new')]
const ISSUED = anIssuedResetToken('late')
const SESSION = aSession({ ...aNewAccount('ann'), id: ID, epoch: 1 as Epoch, roles: [] }, 'late')
const LOGIN = { sessionId: SESSION.id, accountId: ID, epoch: 1 as Epoch }
const JOB = aMailJob('late')
const ROLE = aRole('editor')

/** Inputs of every call of every port. */
const INPUTS: { readonly [Name in Port]: Inputs<Store[Name]> } = {
  accounts: {
    insert: [aNewAccount('late')],
    findByEmail: [EMAIL],
    find: [ID],
    page: [undefined, 10],
    search: [{ limit: 10 }],
    replaceHash: [ID, OLD, NEW],
    setPassword: [ID, NEW],
    changePassword: [{ id: ID, expected: OLD, next: NEW }],
    setDisabled: [ID, NOW],
    issueResetToken: [ID, 1 as Epoch, ISSUED],
    holdsResetToken: [EMAIL, ISSUED.digest, NOW],
    consumeResetToken: [aConsumption({ email: EMAIL }, ISSUED)],
    resetTokenEnds: [ID],
    remove: [ID],
  },
  sessions: {
    open: [SESSION],
    openWithLimit: [SESSION, 1],
    find: [SESSION.current.keyDigest, NOW],
    findById: [SESSION.id, NOW],
    pageOf: [{ accountId: ID, limit: 10, at: NOW }],
    rotate: [aRotation(SESSION)],
    end: [SESSION.id],
    endOne: [ID, SESSION.id],
    endOthers: [ID, SESSION.id, NOW],
    endAllOf: [ID],
    purge: [NOW, 10],
  },
  revocations: {
    isRevoked: [LOGIN, NOW],
    rotate: [aLoginRotation(LOGIN)],
    revoke: [LOGIN.sessionId, NOW],
    purge: [NOW, 10],
  },
  attempts: {
    take: [[{ name: 'name', limit: { count: 1, window: 1 } }], NOW],
    refund: [{ counts: [{ name: 'name', until: NOW }] }],
    purge: [NOW, 10],
  },
  secondFactors: {
    begin: [ID, { sealedSecret: sealedSecretOf('next'), at: NOW }],
    activate: [ID, anActivation('before')],
    find: [ID],
    takeStep: [ID, stepOf()],
    takeRecovery: [ID, recoveryDigestOf('late')],
    renewRecovery: [ID, { proof: { kind: 'step', step: stepOf(1) }, recovery: [] }],
    reseal: [ID, sealedSecretOf('before'), sealedSecretOf('next')],
    remove: [ID],
  },
  audit: { append: [anAuditRecord('late')], page: [{ limit: 10 }], forget: [ID], purge: [NOW, 10] },
  mailQueue: {
    enqueue: [JOB, 10],
    claim: [NOW, NOW],
    waiting: [undefined, NOW, 10],
    discard: [[JOB.id], NOW],
    listTo: [JOB.email],
    removeTo: [JOB.email],
    remove: [{ id: JOB.id, until: NOW }],
    postpone: [{ id: JOB.id, until: NOW }, NOW],
  },
  pets: {
    insert: [aPet('Rex')],
    find: [PET],
    findMany: [[PET]],
    page: [undefined, pageLimitOf(10)],
    patch: [PET, { kind: 'cat', hunts: true }],
    remove: [PET],
    purgeIdempotencyKeys: [NOW, 10],
  },
  projects: {
    insert: [aProject('House'), ID, NOW],
    find: [PROJECT, ID],
    page: [ID, undefined, pageLimitOf(10)],
    close: [PROJECT, ID, NOW],
  },
  roles: { insert: [ROLE], list: [], assign: [EMAIL, ROLE.key], unassign: [EMAIL, ROLE.key] },
  apiKeys: {
    insert: [aNewApiKey('late')],
    find: [apiKeyDigestOf('late'), NOW],
    page: [undefined, 10],
    recordUse: [API_KEY, NOW],
    revoke: [API_KEY, NOW],
  },
}

/** Every call of every port. */
function everyCall(store: Store): readonly (readonly [name: string, call: () => Promise<unknown>])[] {
  const ofPorts = Object.entries(INPUTS).flatMap(([port, calls]) =>
    Object.entries<readonly unknown[]>(calls).map(([name, inputs]) => {
      const owner = store[port as Port]
      const call = Reflect.get(owner, name) as (...given: readonly unknown[]) => Promise<unknown>
      return [`${port}.${name}`, () => Reflect.apply(call, owner, inputs)] as const
    }),
  )
  return [['ready', () => store.ready()], ...ofPorts]
}
