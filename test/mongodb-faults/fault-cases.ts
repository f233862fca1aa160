import { addAccount, addFactor, addPasskey, giveRole, logIn } from '../../src/contracts/arrangements.js'
import {
  aLoginRotation,
  hashOf,
  aMailJob,
  anActivation,
  anAuditRecord,
  aNewAccount,
  aNewApiKey,
  aPet,
  aProject,
  aProof,
  aRole,
  DAY,
  emailOf,
  NOW,
  pairIdOf,
  passkeyIdOf,
  proofDigestOf,
  recoveryDigestOf,
  sealedSecretOf,
  SECOND,
  sessionIdOf,
} from '../../src/contracts/samples.js'
import { recordsOf } from '../../src/contracts/copyable-records/arrangements.js'
import { CALLS } from '../../src/contracts/store/store.js'
import type { PetId, Revision } from '../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { Idempotency } from '../../src/ports/pets.js'
import type { Store } from '../../src/ports/store.js'
import type { Collection, Db, Document } from 'mongodb'

const [ANN, BOB] = [1, 2] as readonly number[] as readonly [AccountId, AccountId]
const LATE = NOW + 3 * SECOND
const countsOf = (...names: string[]) => names.map((name) => ({ name, limit: { count: 2, window: SECOND } }))
const idempotency = (key: string): Idempotency => ({
  ...{ scope: 'scope', key, fingerprint: 'print' },
  ...{ at: NOW, until: NOW + SECOND },
})

/** Creates the initial data of every case, so that each call has an effect. */
export async function arrange(store: Store): Promise<void> {
  const ann = await addAccount(store, 'ann')
  await addAccount(store, 'bob')
  await giveRole(store, ann, 'editor')
  await store.roles.insert(aRole('admin'))
  await logIn(store, ann, 'login')
  await addFactor(store, ann)
  for (const label of ['phone', 'key']) await addPasskey(store, ann, label)
  await store.secondFactors.begin(BOB, { sealedSecret: sealedSecretOf('bob'), at: NOW - SECOND })
  await store.pets.insert(aPet('Rex'))
  await store.pets.insert(aPet('Mia'), idempotency('used'))
  await store.projects.insert(aProject('Yard'), ANN, NOW)
  await store.apiKeys.insert(aNewApiKey('kept', [aRole('editor')]))
  await store.revocations.revoke(sessionIdOf('gone'), NOW + SECOND)
  const next = { pairId: pairIdOf('used'), kid: 'kid-1', issuedAt: NOW }
  await store.revocations.rotate(aLoginRotation({ sessionId: sessionIdOf('used') }, { next }))
  for (const _ of ['once', 'twice']) await store.attempts.take(countsOf('full'), NOW)
  await store.mailQueue.enqueue(aMailJob('0'), 10)
  await store.audit.append(anAuditRecord('0'))
  await arrangeProofs(store)
}

/** Creates a proof for each purpose; `find`, `consume`, `attempt` and `renew` use the first proof. */
async function arrangeProofs({ accounts, proofs }: Store): Promise<void> {
  const { epoch = 1 as Epoch } = (await accounts.find(ANN)) ?? {}
  await proofs.issue(aProof('login', '0', { accountId: ANN, epoch, binding: proofDigestOf('browser') }))
  await proofs.issue(aProof('sign-up', '1'))
  await proofs.issue(aProof('change-email', '2', { accountId: ANN, epoch }))
  for (const label of ['3', '4']) await proofs.issue(aProof('undo-email', label, { accountId: ANN }))
  await proofs.issue(aProof('reset-password', '5', { accountId: ANN, epoch }))
}

const useOf = (label: string) => ({ digest: proofDigestOf(label), at: NOW })

type Case = (store: Store) => Promise<unknown>

const MORE: Readonly<Record<string, Case>> = {
  'pets.insert with a key': ({ pets }) => pets.insert(aPet('Max'), idempotency('new')),
  'pets.insert with a used key': ({ pets }) => pets.insert(aPet('Max'), idempotency('used')),
  'pets.insert with an expired key': ({ pets }) =>
    pets.insert(aPet('Max'), { ...idempotency('used'), at: LATE, until: LATE + SECOND }),
  'pets.remove of a pet with a key': ({ pets }) => pets.remove(2 as PetId, [1 as Revision]),
  'accounts.insert of a taken email': ({ accounts }) => accounts.insert(aNewAccount('ann')),
  'revocations.rotate of a login that was refreshed': ({ revocations }) =>
    revocations.rotate(
      aLoginRotation({ sessionId: sessionIdOf('used') }, { from: pairIdOf('used'), at: LATE }),
    ),
  'revocations.rotate of a spent pair': ({ revocations }) =>
    revocations.rotate(aLoginRotation({ sessionId: sessionIdOf('used') }, { from: pairIdOf('spent') })),
  'roles.insert of a taken key': ({ roles }) => roles.insert({ ...aRole('new'), key: aRole('editor').key }),
  'audit.append of a count': ({ audit }) => audit.append(anAuditRecord('1', { count: 1, countKey: 'key' })),
  'sessions.purge of sessions': ({ sessions }) => sessions.purge(NOW + 31 * DAY, 10),
  'revocations.purge of logins': ({ revocations }) => revocations.purge(LATE, 10),
  'attempts.purge of counts': ({ attempts }) => attempts.purge(LATE, 10),
  'pets.purgeIdempotencyKeys that have expired': ({ pets }) => pets.purgeIdempotencyKeys(LATE, 10),
  'roles.assign of a new role': ({ roles }) => roles.assign(emailOf('bob'), aRole('editor').key),
  'proofs.changeEmail of a valid proof': ({ proofs }) =>
    proofs.changeEmail(useOf('2'), aProof('undo-email', '9', { accountId: ANN })),
  'proofs.undoEmail of a valid proof': ({ proofs }) => proofs.undoEmail(useOf('3')),
  'proofs.resetPassword of a valid proof': ({ proofs }) => proofs.resetPassword(useOf('5'), hashOf('reset')),
  'proofs.createAccount of a taken email': async ({ proofs }) => {
    await proofs.issue(aProof('sign-up', '1', { email: emailOf('ann') }))
    return await proofs.createAccount({ ...useOf('1'), account: { createdAt: NOW } })
  },
  'proofs.purge of expired proofs': ({ proofs }) => proofs.purge(NOW + 2 * DAY, 10),
  'copyableRecords.remove of a pet': (store) =>
    recordsOf(store).remove('pet', [{ ...aPet('Rex'), id: 1 as PetId, revision: 1 as Revision }]),
  'passkeys.use of a counting passkey': ({ passkeys }) =>
    passkeys.use(passkeyIdOf('key'), { counter: 5, backedUp: true, at: NOW }),
  'secondFactors.begin of a new factor': ({ secondFactors }) =>
    secondFactors.begin(BOB, { sealedSecret: sealedSecretOf('other'), at: NOW }),
  'secondFactors.activate of a pending factor': ({ secondFactors }) =>
    secondFactors.activate(BOB, anActivation('bob')),
  'secondFactors.renewRecovery by a recovery code': ({ secondFactors }) =>
    secondFactors.renewRecovery(ANN, {
      proof: { kind: 'recovery', digest: recoveryDigestOf('factor one') },
      recovery: [],
    }),
}

/** Only the types of these results are compared, because their values differ in each run. */
const TEXTS = ['copyableRecords.identity', 'copyableRecords.changeToken'].map(
  (name) => [name, async (store: Store) => typeof (await CALLS[name]?.(store))] as const,
)

/** Keyed by call name, and by purpose if one call has several cases. */
export const CASES: Readonly<Record<string, Case>> = { ...CALLS, ...MORE, ...Object.fromEntries(TEXTS) }

export function callsOf(store: Store): string[] {
  return Object.entries(store)
    .flatMap(([port, value]: [string, object]) =>
      typeof value === 'function' ? [port] : Object.keys(value).map((name) => `${port}.${name}`),
    )
    .filter((name) => name !== 'close')
}

export function callOf(name: string): string {
  return name.split(' ')[0] ?? name
}

export type Content = ReadonlyMap<string, readonly Document[]>

/** Excludes the schema version, which is not part of the data. */
const DATA = { _id: { $ne: 'schema' } } as unknown as Document

export async function contentOf(db: Db): Promise<Content> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
  const all = await Promise.all(
    names.map(
      async (name) =>
        await db
          .collection(name)
          .find(DATA, { sort: { _id: 1 } })
          .toArray(),
    ),
  )
  return new Map(names.map((name, index) => [name, all[index] ?? []]))
}

export async function restore(db: Db, content: Content): Promise<void> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  await Promise.all(names.map(async (name) => await refill(db.collection(name), content.get(name) ?? [])))
}

/** Tries again, because a write of the previous case may still be under way between the two commands. */
async function refill(collection: Collection, documents: readonly Document[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await collection.deleteMany(DATA)
    try {
      if (documents.length > 0) await collection.insertMany([...documents])
      return
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

/** Returns the contents as JSON without the values of IDs, because gaps between IDs do not matter. */
export function withoutIds(what: unknown): string {
  return JSON.stringify(what, (name, value: unknown) => {
    if (['_id', 'id', 'value', 'order'].includes(name) && typeof value === 'number') return 'a number'
    if (name === 'identity') return 'an identity'
    return value instanceof Map ? [...value] : value
  })
}

export function isBetween(content: Content, before: Content, after: Content): boolean {
  return [...content].every(([name, { length }]) => {
    const [first, second] = [idsIn(before, name), idsIn(after, name)]
    const inBoth = [...first].filter((id) => second.has(id)).length
    return length >= inBoth && length <= first.size + second.size - inBoth
  })
}

function idsIn(content: Content, name: string): ReadonlySet<unknown> {
  return new Set((content.get(name) ?? []).map(({ _id }) => String(_id)))
}
