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
  keyDigestOf,
  NOW,
  pageLimitOf,
  recoveryDigestOf,
  sealedSecretOf,
  sessionIdOf,
  stepOf,
} from '../samples.js'

const law = lawOf('store')
const ACCOUNT = 1 as AccountId
const PET = 1 as PetId
const PROJECT = 1 as ProjectId

export const wholeStoreLaws: readonly Law[] = [
  law('an open store is ready', 'The service says that it is up.', async (store) => {
    await store.ready()
    await enrol(store)
    await store.ready()
  }),
  law('closing twice is harmless', 'A shutdown that is asked for twice is not a crash.', async (store) => {
    await Promise.all([store.close(), store.close()])
    await store.close()
  }),
  law(
    'every call after close is unavailable',
    'A late request is told to come again, not given a wrong answer.',
    async (store) => {
      const account = await enrol(store)
      await logIn(store, account)
      const calls = everyCall(store)
      await store.close()
      for (const [name, call] of Object.entries(calls)) {
        await assert.rejects(call, isUnavailable, `${name} is unavailable`)
      }
    },
  ),
  law(
    'a call that is under way at close is done or unavailable',
    'A shutdown breaks no request in some third way.',
    async (store) => {
      await race(async (caller) => {
        if (caller === 8) await store.close()
        else await doneOrUnavailable(store.pets.insert(aPet(`Rex ${caller}`)))
      })
      await assert.rejects(store.ready(), isUnavailable)
    },
  ),
]

function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && error.code === 'unavailable'
}

async function doneOrUnavailable(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => assert.ok(isUnavailable(error), `it is ${String(error)}`))
}

/** One call of every function of every port. */
function everyCall(store: Store): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    ready: () => store.ready(),
    ...accountCalls(store),
    ...sessionCalls(store),
    ...loginEndCalls(store),
    ...secondFactorCalls(store),
    ...trailCalls(store),
    ...petAndProjectCalls(store),
    ...accessCalls(store),
  }
}

function accountCalls({ accounts }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const issued = anIssuedResetToken('late')
  return {
    'accounts.insert': () => accounts.insert(aNewAccount('late')),
    'accounts.findByEmail': () => accounts.findByEmail(emailOf('ann')),
    'accounts.find': () => accounts.find(ACCOUNT),
    'accounts.page': () => accounts.page(undefined, 10),
    'accounts.search': () => accounts.search({ limit: 10 }),
    'accounts.replaceHash': () => accounts.replaceHash(ACCOUNT, hashOf('ann'), hashOf('new')),
    'accounts.setPassword': () => accounts.setPassword(ACCOUNT, hashOf('new')),
    'accounts.setDisabled': () => accounts.setDisabled(ACCOUNT, NOW),
    'accounts.issueResetToken': () => accounts.issueResetToken(ACCOUNT, 1 as Epoch, issued),
    'accounts.holdsResetToken': () => accounts.holdsResetToken(emailOf('ann'), issued.digest, NOW),
    'accounts.consumeResetToken': () =>
      accounts.consumeResetToken(aConsumption({ email: emailOf('ann') }, issued)),
    'accounts.remove': () => accounts.remove(ACCOUNT),
  }
}

function sessionCalls({ sessions }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const session = aSession({ ...aNewAccount('ann'), id: ACCOUNT, epoch: 1 as Epoch, roles: [] }, 'late')
  return {
    'sessions.open': () => sessions.open(session),
    'sessions.find': () => sessions.find(keyDigestOf('login 1'), NOW),
    'sessions.findById': () => sessions.findById(sessionIdOf('login'), NOW),
    'sessions.pageOf': () => sessions.pageOf({ accountId: ACCOUNT, limit: 10, at: NOW }),
    'sessions.rotate': () => sessions.rotate(aRotation(session)),
    'sessions.end': () => sessions.end(session.id),
    'sessions.endAllOf': () => sessions.endAllOf(ACCOUNT),
    'sessions.purge': () => sessions.purge(NOW, 10),
  }
}

function loginEndCalls({ revocations, attempts }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const login = { sessionId: sessionIdOf('late'), accountId: ACCOUNT, epoch: 1 as Epoch }
  return {
    'revocations.isRevoked': () => revocations.isRevoked(login, NOW),
    'revocations.revoke': () => revocations.revoke(login.sessionId, NOW),
    'revocations.purge': () => revocations.purge(NOW, 10),
    'attempts.take': () => attempts.take([{ name: 'name', limit: { count: 1, window: 1 } }], NOW),
    'attempts.refund': () => attempts.refund({ counts: [{ name: 'name', until: NOW }] }),
    'attempts.purge': () => attempts.purge(NOW, 10),
  }
}

function secondFactorCalls({ secondFactors }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const [before, next] = [sealedSecretOf('before'), sealedSecretOf('next')]
  return {
    'secondFactors.begin': () => secondFactors.begin(ACCOUNT, { sealedSecret: next, at: NOW }),
    'secondFactors.activate': () => secondFactors.activate(ACCOUNT, anActivation('before')),
    'secondFactors.find': () => secondFactors.find(ACCOUNT),
    'secondFactors.takeStep': () => secondFactors.takeStep(ACCOUNT, stepOf()),
    'secondFactors.takeRecovery': () => secondFactors.takeRecovery(ACCOUNT, recoveryDigestOf('late')),
    'secondFactors.renewRecovery': () =>
      secondFactors.renewRecovery(ACCOUNT, { proof: { kind: 'step', step: stepOf(1) }, recovery: [] }),
    'secondFactors.reseal': () => secondFactors.reseal(ACCOUNT, before, next),
    'secondFactors.remove': () => secondFactors.remove(ACCOUNT),
  }
}

function trailCalls({ audit, mailQueue }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const { id } = aMailJob('late')
  return {
    'audit.append': () => audit.append(anAuditRecord('late')),
    'audit.page': () => audit.page({ limit: 10 }),
    'audit.purge': () => audit.purge(NOW, 10),
    'mailQueue.enqueue': () => mailQueue.enqueue(aMailJob('late'), 10),
    'mailQueue.claim': () => mailQueue.claim(NOW, NOW),
    'mailQueue.waiting': () => mailQueue.waiting(undefined, NOW, 10),
    'mailQueue.discard': () => mailQueue.discard([id], NOW),
    'mailQueue.remove': () => mailQueue.remove({ id, until: NOW }),
    'mailQueue.postpone': () => mailQueue.postpone({ id, until: NOW }, NOW),
  }
}

function petAndProjectCalls({ pets, projects }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    'pets.insert': () => pets.insert(aPet('Rex')),
    'pets.find': () => pets.find(PET),
    'pets.page': () => pets.page(undefined, pageLimitOf(10)),
    'pets.patch': () => pets.patch(PET, { kind: 'cat', hunts: true }),
    'pets.remove': () => pets.remove(PET),
    'pets.purgeIdempotencyKeys': () => pets.purgeIdempotencyKeys(NOW, 10),
    'projects.insert': () => projects.insert(aProject('House'), ACCOUNT, NOW),
    'projects.find': () => projects.find(PROJECT, ACCOUNT),
    'projects.page': () => projects.page(ACCOUNT, undefined, pageLimitOf(10)),
    'projects.close': () => projects.close(PROJECT, ACCOUNT, NOW),
  }
}

function accessCalls({ roles, apiKeys }: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const { key } = aRole('editor')
  return {
    'roles.insert': () => roles.insert(aRole('editor')),
    'roles.list': () => roles.list(),
    'roles.assign': () => roles.assign(emailOf('ann'), key),
    'roles.unassign': () => roles.unassign(emailOf('ann'), key),
    'apiKeys.insert': () => apiKeys.insert(aNewApiKey('late')),
    'apiKeys.find': () => apiKeys.find(apiKeyDigestOf('late'), NOW),
    'apiKeys.page': () => apiKeys.page(undefined, 10),
    'apiKeys.recordUse': () => apiKeys.recordUse(1 as ApiKeyId, NOW),
    'apiKeys.revoke': () => apiKeys.revoke(1 as ApiKeyId, NOW),
  }
}
