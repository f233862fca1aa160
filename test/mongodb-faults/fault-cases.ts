import {
  accountOf,
  enrol,
  giveFactor,
  giveRole,
  logIn,
  issueResetToken,
} from '../../src/contracts/arrangements.js'
import {
  aLoginRotation,
  aMailJob,
  anActivation,
  anAuditRecord,
  aNewAccount,
  aNewApiKey,
  aPet,
  apiKeyDigestOf,
  aProject,
  aConsumption,
  anIssuedResetToken,
  aRole,
  aRotation,
  aSession,
  emailOf,
  hashOf,
  keyDigestOf,
  NOW,
  pageLimitOf,
  pairIdOf,
  SECOND,
  sessionIdOf,
  recoveryDigestOf,
  sealedSecretOf,
  stepOf,
} from '../../src/contracts/samples.js'
import type { ApiKeyId } from '../../src/domain/access/api-key.js'
import type { PetId, Revision } from '../../src/domain/catalogue/pet.js'
import type { Account, AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { ProjectId } from '../../src/domain/project/project.js'
import type { Idempotency } from '../../src/ports/pets.js'
import type { RecordOf, CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'

const ANN = 1 as AccountId
const BOB = 2 as AccountId
const EPOCH = 1 as Epoch
const countsOf = (...names: string[]) => names.map((name) => ({ name, limit: { count: 2, window: SECOND } }))
const LATE = NOW + 3 * SECOND
const OVER = NOW + SECOND
const owner: Account = { ...aNewAccount('ann'), id: ANN, epoch: EPOCH, roles: [] }
const idempotency = (key: string): Idempotency => ({
  ...{ scope: 'scope', key, fingerprint: 'print' },
  ...{ at: NOW, until: NOW + SECOND },
})

/** The initial state of every case, on which each call has an effect. */
export async function arrange(store: Store): Promise<void> {
  const ann = await enrol(store, 'ann')
  await enrol(store, 'bob')
  await giveRole(store, ann, 'editor')
  await store.roles.insert(aRole('admin'))
  await issueResetToken(store, await accountOf(store, ann.id), 'kept')
  await logIn(store, ann, 'login')
  await giveFactor(store, ann)
  await store.pets.insert(aPet('Rex'))
  await store.pets.insert(aPet('Mia'), idempotency('used'))
  await store.projects.insert(aProject('Yard'), ANN, NOW)
  await store.apiKeys.insert(aNewApiKey('kept', [aRole('editor')]))
  await store.revocations.revoke(sessionIdOf('gone'), OVER)
  await store.revocations.rotate(
    aLoginRotation(
      { sessionId: sessionIdOf('used') },
      { next: { pairId: pairIdOf('used'), kid: 'kid-1', issuedAt: NOW } },
    ),
  )
  for (const _ of ['once', 'twice']) await store.attempts.take(countsOf('full'), NOW)
  await store.mailQueue.enqueue(aMailJob('0'), 10)
  await store.audit.append(anAuditRecord('0'))
}

type Case = (store: Store) => Promise<unknown>

const PETS: Readonly<Record<string, Case>> = {
  'pets.insert': ({ pets }) => pets.insert(aPet('Max')),
  'pets.insert with a key': ({ pets }) => pets.insert(aPet('Max'), idempotency('new')),
  'pets.insert with a used key': ({ pets }) => pets.insert(aPet('Max'), idempotency('used')),
  'pets.insert with a key that is over': ({ pets }) =>
    pets.insert(aPet('Max'), { ...idempotency('used'), at: LATE, until: LATE + SECOND }),
  'pets.find': ({ pets }) => pets.find(1 as PetId),
  'pets.findMany': ({ pets }) => pets.findMany([1 as PetId, 2 as PetId]),
  'pets.page': ({ pets }) => pets.page(undefined, pageLimitOf(10)),
  'pets.patch': ({ pets }) => pets.patch(1 as PetId, { kind: 'dog', bark: true }),
  'pets.remove': ({ pets }) => pets.remove(1 as PetId),
  'pets.remove of one with a key': ({ pets }) => pets.remove(2 as PetId, [1 as Revision]),
  'pets.purgeIdempotencyKeys': ({ pets }) => pets.purgeIdempotencyKeys(LATE, 10),
  'projects.insert': ({ projects }) => projects.insert(aProject('House'), ANN, NOW),
  'projects.find': ({ projects }) => projects.find(1 as ProjectId, ANN),
  'projects.page': ({ projects }) => projects.page(ANN, undefined, pageLimitOf(10)),
  'projects.close': ({ projects }) => projects.close(1 as ProjectId, ANN, NOW),
}

const ACCOUNTS: Readonly<Record<string, Case>> = {
  'accounts.insert': ({ accounts }) =>
    accounts.insert({ ...aNewAccount('carol'), roles: [aRole('admin').key] }),
  'accounts.insert of a taken email': ({ accounts }) => accounts.insert(aNewAccount('ann')),
  'accounts.findByEmail': ({ accounts }) => accounts.findByEmail(emailOf('ann')),
  'accounts.find': ({ accounts }) => accounts.find(ANN),
  'accounts.page': ({ accounts }) => accounts.page(undefined, 10),
  'accounts.search': ({ accounts }) => accounts.search({ role: aRole('editor').key, limit: 10 }),
  'accounts.replaceHash': ({ accounts }) => accounts.replaceHash(ANN, hashOf('ann'), hashOf('new')),
  'accounts.setPassword': ({ accounts }) => accounts.setPassword(ANN, hashOf('new')),
  'accounts.changePassword': ({ accounts }) =>
    accounts.changePassword({ id: ANN, expected: hashOf('ann'), next: hashOf('new') }),
  'accounts.setDisabled': ({ accounts }) => accounts.setDisabled(ANN, NOW),
  'accounts.setDisabled of one that is so': ({ accounts }) => accounts.setDisabled(BOB, undefined),
  'accounts.issueResetToken': ({ accounts }) =>
    accounts.issueResetToken(BOB, EPOCH, anIssuedResetToken('bob')),
  'accounts.holdsResetToken': ({ accounts }) =>
    accounts.holdsResetToken(emailOf('ann'), anIssuedResetToken('1 kept').digest, NOW),
  'accounts.consumeResetToken': ({ accounts }) =>
    accounts.consumeResetToken(aConsumption({ email: emailOf('ann') }, anIssuedResetToken('1 kept'))),
  'accounts.resetTokenEnds': ({ accounts }) => accounts.resetTokenEnds(ANN),
  'accounts.remove of another epoch': ({ accounts }) => accounts.remove(ANN, 7 as Epoch),
  'accounts.remove': ({ accounts }) => accounts.remove(ANN),
}

const SESSIONS: Readonly<Record<string, Case>> = {
  'sessions.open': ({ sessions }) => sessions.open(aSession(owner, 'second')),
  'sessions.openWithLimit': ({ sessions }) => sessions.openWithLimit(aSession(owner, 'second'), 1),
  'sessions.find': ({ sessions }) => sessions.find(keyDigestOf('login 1'), NOW),
  'sessions.findById': ({ sessions }) => sessions.findById(sessionIdOf('login'), NOW),
  'sessions.pageOf': ({ sessions }) => sessions.pageOf({ accountId: ANN, limit: 10, at: NOW }),
  'sessions.rotate': ({ sessions }) => sessions.rotate(aRotation(aSession(owner, 'login'))),
  'sessions.end': ({ sessions }) => sessions.end(sessionIdOf('login')),
  'sessions.endOne': ({ sessions }) => sessions.endOne(ANN, sessionIdOf('login')),
  'sessions.endOthers': ({ sessions }) => sessions.endOthers(ANN, sessionIdOf('other'), NOW),
  'sessions.endAllOf': ({ sessions }) => sessions.endAllOf(ANN),
  'sessions.purge': ({ sessions }) => sessions.purge(NOW + 31 * 24 * 60 * 60 * SECOND, 10),
  'revocations.isRevoked': ({ revocations }) =>
    revocations.isRevoked({ sessionId: sessionIdOf('gone'), accountId: ANN, epoch: EPOCH }, NOW),
  'revocations.rotate': ({ revocations }) =>
    revocations.rotate(aLoginRotation({ sessionId: sessionIdOf('new') })),
  'revocations.rotate of a login that was refreshed': ({ revocations }) =>
    revocations.rotate(
      aLoginRotation({ sessionId: sessionIdOf('used') }, { from: pairIdOf('used'), at: LATE }),
    ),
  'revocations.rotate of a spent pair': ({ revocations }) =>
    revocations.rotate(aLoginRotation({ sessionId: sessionIdOf('used') }, { from: pairIdOf('spent') })),
  'revocations.revoke': ({ revocations }) => revocations.revoke(sessionIdOf('new'), NOW + SECOND),
  'revocations.purge': ({ revocations }) => revocations.purge(OVER, 10),
}

const OTHERS: Readonly<Record<string, Case>> = {
  'roles.insert': ({ roles }) => roles.insert(aRole('new')),
  'roles.insert of a taken key': ({ roles }) => roles.insert({ ...aRole('new'), key: aRole('editor').key }),
  'roles.list': ({ roles }) => roles.list(),
  'roles.assign': ({ roles }) => roles.assign(emailOf('bob'), aRole('editor').key),
  'roles.unassign': ({ roles }) => roles.unassign(emailOf('ann'), aRole('editor').key),
  'apiKeys.insert': ({ apiKeys }) => apiKeys.insert(aNewApiKey('new', [aRole('admin')])),
  'apiKeys.find': ({ apiKeys }) => apiKeys.find(apiKeyDigestOf('kept'), NOW),
  'apiKeys.page': ({ apiKeys }) => apiKeys.page(undefined, 10),
  'apiKeys.recordUse': ({ apiKeys }) => apiKeys.recordUse(1 as ApiKeyId, NOW),
  'apiKeys.revoke': ({ apiKeys }) => apiKeys.revoke(1 as ApiKeyId, NOW),
  'attempts.take': ({ attempts }) => attempts.take(countsOf('new', 'other'), NOW),
  'attempts.take of a full name': ({ attempts }) => attempts.take(countsOf('new', 'full'), NOW),
  'attempts.refund': ({ attempts }) => attempts.refund({ counts: [{ name: 'full', until: NOW + SECOND }] }),
  'attempts.purge': ({ attempts }) => attempts.purge(LATE, 10),
  'audit.append': ({ audit }) => audit.append(anAuditRecord('1')),
  'audit.append of a count': ({ audit }) => audit.append(anAuditRecord('1', { count: 1, countKey: 'key' })),
  'audit.page': ({ audit }) => audit.page({ limit: 10 }),
  'audit.forget': ({ audit }) => audit.forget(ANN),
  'audit.purge': ({ audit }) => audit.purge(LATE, 10),
  'mailQueue.enqueue': ({ mailQueue }) => mailQueue.enqueue(aMailJob('1'), 10),
  'mailQueue.claim': ({ mailQueue }) => mailQueue.claim(NOW, LATE),
  'mailQueue.waiting': ({ mailQueue }) => mailQueue.waiting(undefined, NOW, 10),
  'mailQueue.discard': ({ mailQueue }) => mailQueue.discard([aMailJob('0').id], NOW),
  'mailQueue.listTo': ({ mailQueue }) => mailQueue.listTo(aMailJob('0').email),
  'mailQueue.removeTo': ({ mailQueue }) => mailQueue.removeTo(aMailJob('0').email),
  'mailQueue.remove': ({ mailQueue }) => mailQueue.remove({ id: aMailJob('0').id, until: LATE }),
  'mailQueue.postpone': ({ mailQueue }) => mailQueue.postpone({ id: aMailJob('0').id, until: LATE }, LATE),
}

const pet = { id: 9, name: 'Max', revision: 1 } as RecordOf['pet']
const recordsOf = ({ copyableRecords: records }: Store): CopyableRecords => records as CopyableRecords

const RECORDS: Readonly<Record<string, Case>> = {
  'copyableRecords.identity': async (store) => typeof (await recordsOf(store).identity()),
  'copyableRecords.changeToken': async (store) => typeof (await recordsOf(store).changeToken()),
  'copyableRecords.count': (store) => recordsOf(store).count('idempotencyKey'),
  'copyableRecords.page': (store) => recordsOf(store).page('account', undefined, 10),
  'copyableRecords.put': (store) => recordsOf(store).put('pet', [pet]),
  'copyableRecords.remove': (store) => recordsOf(store).remove('pet', [{ ...pet, id: 1 as PetId }]),
  'copyableRecords.claim': (store) => recordsOf(store).claim('another store'),
  'copyableRecords.complete': (store) => recordsOf(store).complete('another store'),
  ready: (store) => store.ready(),
}

const FACTORS: Readonly<Record<string, Case>> = {
  'secondFactors.begin': ({ secondFactors }) =>
    secondFactors.begin(BOB, { sealedSecret: sealedSecretOf('bob'), at: NOW }),
  'secondFactors.begin of an active one': ({ secondFactors }) =>
    secondFactors.begin(ANN, { sealedSecret: sealedSecretOf('other'), at: NOW }),
  'secondFactors.activate': ({ secondFactors }) => secondFactors.activate(BOB, anActivation('bob')),
  'secondFactors.find': ({ secondFactors }) => secondFactors.find(ANN),
  'secondFactors.takeStep': ({ secondFactors }) => secondFactors.takeStep(ANN, stepOf(1)),
  'secondFactors.takeRecovery': ({ secondFactors }) =>
    secondFactors.takeRecovery(ANN, recoveryDigestOf('factor one')),
  'secondFactors.renewRecovery': ({ secondFactors }) =>
    secondFactors.renewRecovery(ANN, { proof: { kind: 'step', step: stepOf(1) }, recovery: [] }),
  'secondFactors.renewRecovery by a recovery code': ({ secondFactors }) =>
    secondFactors.renewRecovery(ANN, {
      proof: { kind: 'recovery', digest: recoveryDigestOf('factor one') },
      recovery: [],
    }),
  'secondFactors.reseal': ({ secondFactors }) =>
    secondFactors.reseal(ANN, sealedSecretOf('factor'), sealedSecretOf('next')),
  'secondFactors.remove': ({ secondFactors }) => secondFactors.remove(ANN),
}

/** By the name of the call, with its purpose if there are several cases of one call. */
export const CASES: Readonly<Record<string, Case>> = {
  ...PETS,
  ...ACCOUNTS,
  ...SESSIONS,
  ...OTHERS,
  ...FACTORS,
  ...RECORDS,
}

/** Every function of every port of the store. */
export function callsOf(store: Store): string[] {
  return Object.entries(store)
    .flatMap(([port, value]: [string, object]) =>
      typeof value === 'function' ? [port] : Object.keys(value).map((name) => `${port}.${name}`),
    )
    .filter((name) => name !== 'close')
}

/** The call of a case. */
export function callOf(name: string): string {
  return name.split(' ')[0] ?? name
}
