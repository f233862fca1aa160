import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { PetDraft, PetId } from '../../domain/catalogue/pet.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import type { ProjectId } from '../../domain/project/project.js'
import {
  RECORD_KINDS,
  type RecordKind,
  type RecordOf,
  type CopyableRecords,
} from '../../ports/copyable-records.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  addAccount,
  addFactor,
  addPasskey,
  addPasskeys,
  ensureRole,
  giveRole,
  logIn,
} from '../arrangements.js'
import { eachInOrder } from '../law.js'
import { rotate, rotateLogin, statelessLogin } from '../logins.js'
import {
  aMailJob,
  anActor,
  anAuditRecord,
  aNewApiKey,
  apiKeyDigestOf,
  aPet,
  aProject,
  aProof,
  aSession,
  hashOf,
  NOW,
  passkeyIdOf,
  proofDigestOf,
  proofIdOf,
  sealedSecretOf,
  SECOND,
  sessionIdOf,
  aStep,
  aGeneration,
} from '../samples.js'

/** Returns the `CopyableRecords` port of the store, which must provide it. */
export function recordsOf({ copyableRecords }: Store): CopyableRecords {
  assert.ok(copyableRecords, 'the store provides the port copyableRecords')
  return copyableRecords
}

/** Writes records of every kind, with and without optional properties. */
export async function fill(store: Store): Promise<void> {
  const ann = await fillPeople(store)
  for (const label of ['one', 'two']) await store.revocations.revoke(sessionIdOf(label), NOW + SECOND)
  await rotateLogin(store, statelessLogin(ann, 'refreshed'))
  const digests = ['digest of one', 'digest of another'] as RecordOf['apiKey']['digest'][]
  const key = { name: 'key', roles: ['editor' as RoleKey], createdAt: NOW }
  for (const digest of digests) await store.apiKeys.insert({ ...key, digest, createdBy: ann.id })
  await store.apiKeys.insert({ ...key, digest: apiKeyDigestOf('ends'), expiresAt: NOW + SECOND })
  await store.apiKeys.insert({ ...key, digest: apiKeyDigestOf('of cli'), createdBy: 'cli' })
  await store.apiKeys.recordUse(2 as RecordOf['apiKey']['id'], NOW)
  await store.apiKeys.revoke(1 as RecordOf['apiKey']['id'], NOW + SECOND)
  await fillCatalogue(store, NOW + SECOND)
  await fillTrail(store)
  const project = { label: 'Kennel', status: 'new', budget: 12.5 }
  for (const _ of ['open', 'closed']) await store.projects.insert(project as RecordOf['project'], ann.id, NOW)
  await store.projects.close(2 as ProjectId, ann.id, NOW + SECOND)
}

/** Inserts an account with roles, a second factor, passkeys, proofs and sessions, and returns the account. */
async function fillPeople(store: Store): Promise<Account> {
  const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
  await giveRole(store, ann, 'editor')
  await giveRole(store, ann, 'admin')
  await addPasskey(store, bob, 'used', { counter: 7, lastUsedAt: NOW, transports: [] })
  await store.accounts.setDisabled(bob.id, NOW)
  await addFactor(store, ann)
  await addPasskeys(store, ann, 2)
  await store.secondFactors.begin(bob.id, { sealedSecret: sealedSecretOf('bob'), at: NOW })
  const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.7' }
  await logIn(store, ann, 'one', { current: { ...aGeneration('one'), network: '203.0.113.7' }, openedBy })
  await logIn(store, ann, 'two', { factor: NOW, actor: anActor(await addAccount(store, 'carol')) })
  await logIn(store, ann, 'three', { openedBy: { network: '2001:db8:0:0::/64' } })
  await fillProofs(store, ann)
  return ann
}

async function fillProofs(store: Store, { id: accountId, epoch, email }: Account): Promise<void> {
  const bound = {
    accountId,
    epoch,
    binding: proofDigestOf('browser'),
    codeHash: hashOf('code'),
  }
  await store.proofs.issue(aProof('login', 'bound', { ...bound, enteredEmail: email, attempts: 2 }))
  const { digest: _, ...waiting } = aProof('invitation', 'waiting', { roles: ['editor' as RoleKey] })
  await store.proofs.issue(waiting)
  await store.proofs.issue(aProof('reset-password', 'reset', { accountId, epoch, email }))
}

async function fillTrail(store: Store): Promise<void> {
  const whence = { address: 'address', requestId: 'request' }
  for (const job of [aMailJob('0'), aMailJob('1', whence)]) await store.mailQueue.enqueue(job, 10)
  await store.audit.append(anAuditRecord('0', { accounts: [] }))
  await store.audit.append(anAuditRecord('1', { subject: 'account:2', ...whence }))
}

async function fillCatalogue(store: Store, until: Instant): Promise<void> {
  const draft = { name: 'Rex' } as PetDraft
  for (const key of ['one', 'two', 'three'])
    await store.pets.insert(draft, { scope: 'scope', key, fingerprint: 'print', at: NOW, until })
  await store.pets.remove(3 as PetId)
  const { id } = (await store.pets.insert({ ...draft, tag: 'tag', category: 'Two' } as PetDraft)) as {
    id: RecordOf['pet']['id']
  }
  await store.pets.patch(id, { kind: 'dog', bark: true })
}

/** Returns write calls for every port; each call changes a store that `fill` has filled. */
export function writesTo(store: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const ann = 1 as AccountId
  return {
    'a new account': () => addAccount(store, 'dora'),
    'another hash': () => store.accounts.setPassword(ann, hashOf('new')),
    'a new role': () => ensureRole(store, 'new'),
    'the assignment of a role': async () => await giveRole(store, await accountOf(store, ann), 'new'),
    'a login': async () => await logIn(store, await accountOf(store, ann), 'late'),
    'a refresh': async () => await rotate(store, aSession(await accountOf(store, ann), 'late')),
    'a logout': () => store.sessions.end(sessionIdOf('late')),
    'a revocation': () => store.revocations.revoke(sessionIdOf('late'), NOW + SECOND),
    'a code': () => store.secondFactors.takeStep(ann, aStep(1)),
    'a passkey': async () => await addPasskey(store, await accountOf(store, ann), 'late'),
    'the use of a passkey': () =>
      store.passkeys.use(passkeyIdOf('late'), { counter: 0, backedUp: true, at: NOW }),
    'a proof': () => store.proofs.issue(aProof('sign-up', 'late', { binding: proofDigestOf('late') })),
    'an attempt': () => store.proofs.attempt(proofDigestOf('late'), NOW),
    'a renewal': () =>
      store.proofs.renew({ id: proofIdOf('late'), until: NOW + SECOND, digest: proofDigestOf('renewed') }),
    'a refresh of a stateless login': async () =>
      await rotateLogin(store, statelessLogin(await accountOf(store, ann), 'refreshed late')),
    'a pet': () => store.pets.insert(aPet('Late')),
    'a change to a pet': () => store.pets.patch(1 as PetId, { kind: 'cat', hunts: true }),
    'the removal of a pet': () => store.pets.remove(2 as PetId),
    'an API key': () => store.apiKeys.insert(aNewApiKey('late')),
    'the use of an API key': () => store.apiKeys.recordUse(1 as RecordOf['apiKey']['id'], NOW),
    'a project': () => store.projects.insert(aProject('Late'), ann, NOW),
    'a closed project': () => store.projects.close(1 as ProjectId, ann, NOW),
    'a mail': () => store.mailQueue.enqueue(aMailJob('late'), 100),
    'an audit record': () => store.audit.append(anAuditRecord('late')),
    'the removal of an account': () => store.accounts.remove(ann),
  }
}

export async function contentOf(records: CopyableRecords): Promise<Map<RecordKind, readonly unknown[]>> {
  const pages = await eachInOrder(
    RECORD_KINDS,
    async (kind) => [kind, await records.page(kind, undefined, 1_000)] as const,
  )
  return new Map<RecordKind, readonly unknown[]>(pages)
}

export async function inPagesOf<Kind extends RecordKind>(
  records: CopyableRecords,
  kind: Kind,
  limit: number,
) {
  const all: RecordOf[Kind][] = []
  for (let page = await records.page(kind, undefined, limit); page.length > 0;) {
    all.push(...page)
    page = await records.page(kind, all.at(-1), limit)
    assert.ok(all.length < 1_000, 'the last page was never reached')
  }
  return all
}

export async function takeAwayAndPutAgain(records: CopyableRecords): Promise<void> {
  const content = await contentOf(records)
  for (const kind of RECORD_KINDS.toReversed()) await records.remove(kind, content.get(kind) as never)
  for (const kind of RECORD_KINDS) await records.put(kind, content.get(kind) as never)
}
