import { expect } from 'chai'

import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import type { ApiKeyDigest, ApiKeyId } from '../../../../src/domain/access/api-key.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { PageLimit } from '../../../../src/domain/page-limit.js'
import type { PetId, Revision } from '../../../../src/domain/catalogue/pet.js'
import type { Age, Breed } from '../../../../src/domain/catalogue/traits.js'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { KeyDigest, SessionId } from '../../../../src/domain/identity/session.js'
import type { Budget, ProjectText } from '../../../../src/domain/project/project.js'
import type { Store } from '../../../../src/ports/store.js'
import {
  account,
  generation,
  NOON,
  pet,
  role,
  rotation,
  session,
} from '../../../support/several-processes/samples.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

const FIRST = 1 as AccountId
const PET = 1 as PetId
const digest = (text: string) => text as KeyDigest

/** What the tables could spoil; the laws of the ports are tested for every store alike. */
describe('the ports of a SQLite file', () => {
  const inFolder = suiteFolder()
  let store: Store
  let files = 0

  beforeEach(async () => {
    files += 1
    store = await openSqlite(inFolder(`${files}.db`))
  })

  afterEach(() => store.close())

  async function member(...keys: string[]) {
    await store.accounts.insert(account('user@example.org'))
    for (const key of keys) {
      await store.roles.insert(role(key))
      await store.roles.assign('user@example.org' as Email, key as RoleKey)
    }
  }

  it('give a session with its account and its roles in the order of their keys', async () => {
    await member('writer', 'admin')
    await store.sessions.open(session('s', FIRST))
    const active = await store.sessions.find(digest('s key 1'), NOON)
    expect(active).to.deep.equal({
      session: session('s', FIRST),
      account: await store.accounts.find(FIRST),
    })
    expect(active?.account.roles).to.deep.equal([role('admin'), role('writer')])
  })

  it('keep the previous generation for the window, and find the session by either key', async () => {
    await member()
    await store.sessions.open(session('s', FIRST))
    const moved = await store.sessions.rotate(rotation('s', 1))
    const found = await Promise.all([
      store.sessions.find(digest('s key 1'), NOON + 9_999),
      store.sessions.find(digest('s key 1'), NOON + 10_000),
      store.sessions.find(digest('s key 2'), NOON + 10_000),
    ])
    const expected = {
      ...session('s', FIRST),
      current: generation('s', 2),
      previous: { pairId: 's pair 1', keyDigest: 's key 1', until: NOON + 10_000 },
    }
    expect(moved).to.deep.equal({ kind: 'rotated', session: expected })
    expect(found.map((one) => one?.session)).to.deep.equal([expected, undefined, expected])
  })

  it('end a session whose token is spent, and only then', async () => {
    await member()
    await store.sessions.open(session('s', FIRST))
    await store.sessions.rotate(rotation('s', 1))
    const mismatched = await store.sessions.rotate({ ...rotation('s', 2), keyDigest: undefined })
    const unknown = await store.sessions.rotate(rotation('other', 1))
    const still = await store.sessions.findById('s' as SessionId, NOON)
    const replayed = await store.sessions.rotate({ ...rotation('s', 1), at: NOON + 10_000 })
    const gone = await store.sessions.findById('s' as SessionId, NOON)
    expect([mismatched.kind, unknown.kind, replayed.kind]).to.deep.equal([
      'mismatched',
      'unknown',
      'replayed',
    ])
    expect([still?.session.current.number, gone]).to.deep.equal([2, undefined])
  })

  it('store one row for a session however often it is refreshed', async () => {
    await member()
    await store.sessions.open(session('s', FIRST))
    for (let number = 1; number <= 100; number += 1) await store.sessions.rotate(rotation('s', number))
    expect(await store.sessions.endAllOf(FIRST)).to.equal(1)
  })

  it('purge sessions by whichever end comes first, the oldest first and no more than asked for', async () => {
    const ends = [
      [NOON + 30, NOON + 10],
      [NOON + 20, NOON + 20],
      [NOON + 5, NOON + 90],
      [NOON + 90, NOON + 90],
    ] as const
    await member()
    for (const [index, [endsAt, idleEndsAt]] of ends.entries()) {
      const one = session(`s${index}`, FIRST)
      await store.sessions.open({ ...one, endsAt, current: { ...one.current, idleEndsAt } })
    }
    const purged = [
      await store.sessions.purge(NOON + 20, 2),
      await store.sessions.purge(NOON + 20, 2),
      await store.sessions.purge(NOON + 20, 2),
    ]
    expect(purged).to.deep.equal([2, 1, 0])
    expect(await store.sessions.end('s3' as SessionId)).to.equal('ended')
  })

  it('take the sessions and memberships of a removed account away, and no other’s', async () => {
    await member('admin')
    await store.accounts.insert(account('other@example.org'))
    await store.sessions.open(session('s', FIRST))
    await store.sessions.open(session('t', 2 as AccountId))
    const removed = [await store.accounts.remove(FIRST), await store.accounts.remove(FIRST)]
    await store.accounts.insert(account('user@example.org'))
    const again = await store.accounts.findByEmail('user@example.org' as Email)
    const left = await store.sessions.findById('t' as SessionId, NOON)
    expect(removed).to.deep.equal(['removed', 'unknown'])
    expect([again?.id, again?.roles]).to.deep.equal([3, []])
    expect(await store.sessions.end('s' as SessionId)).to.equal('unknown')
    expect(left?.account.email).to.equal('other@example.org')
  })

  it('keep traits as they are, and merge them only within one shape', async () => {
    await store.pets.insert(pet('Rex'))
    await store.pets.patch(PET, { kind: 'dog', bark: false })
    await store.pets.patch(PET, { kind: 'dog', breed: 'Ʒ "quoted" 🐕' as Breed })
    const dog = await store.pets.find(PET)
    const cat = await store.pets.patch(PET, { kind: 'cat', age: 0 as Age }, [3 as Revision])
    const stale = await store.pets.patch(PET, { kind: 'cat' }, [3 as Revision])
    expect(dog?.traits).to.deep.equal({ kind: 'dog', bark: false, breed: 'Ʒ "quoted" 🐕' })
    expect(cat).to.deep.equal({
      kind: 'patched',
      pet: { id: 1, name: 'Rex', revision: 4, traits: { kind: 'cat', age: 0 } },
    })
    expect(stale).to.deep.equal({ kind: 'stale' })
  })

  it('page through all pets without a gap', async () => {
    await Promise.all(Array.from({ length: 45 }, (_, index) => store.pets.insert(pet(`pet ${index}`))))
    const sizes: number[] = []
    let after: PetId | undefined
    do {
      const page = await store.pets.page(after, 15 as PageLimit)
      sizes.push(page.pets.length)
      after = page.next
    } while (after !== undefined)
    expect(sizes).to.deep.equal([15, 15, 15])
  })

  it('free an idempotency key at its end', async () => {
    const use = (fingerprint: string, at: number) => ({
      scope: 'a',
      key: 'k',
      fingerprint,
      at,
      until: at + 100,
    })
    const insertions = [
      await store.pets.insert(pet('Rex'), use('f', NOON)),
      await store.pets.insert(pet('Rex'), use('f', NOON + 99)),
      await store.pets.insert(pet('Tom'), use('g', NOON + 99)),
      await store.pets.insert(pet('Tom'), use('g', NOON + 100)),
    ]
    expect(insertions).to.deep.equal([
      { kind: 'inserted', id: 1 },
      { kind: 'repeated', id: 1 },
      { kind: 'key-reused' },
      { kind: 'inserted', id: 2 },
    ])
    expect(await store.pets.purgeIdempotencyKeys(NOON + 199, 10)).to.equal(0)
    expect(await store.pets.purgeIdempotencyKeys(NOON + 200, 10)).to.equal(1)
  })

  it('make no API key where one of its roles is unknown', async () => {
    await store.roles.insert(role('reader'))
    const key = { name: 'ci', digest: 'd' as ApiKeyDigest, createdAt: NOON }
    const [reader, unknown] = ['reader' as RoleKey, 'unknown' as RoleKey]
    const refusedKey = await store.apiKeys.insert({ ...key, roles: [reader, unknown] })
    const made = await store.apiKeys.insert({ ...key, roles: [reader] })
    const found = await store.apiKeys.find(key.digest, NOON)
    const revoked = [
      await store.apiKeys.revoke(1 as ApiKeyId, NOON + 1),
      await store.apiKeys.revoke(1 as ApiKeyId, NOON + 2),
      await store.apiKeys.revoke(2 as ApiKeyId, NOON + 2),
    ]
    const shown = { id: 1, name: 'ci', roles: [role('reader')], createdAt: NOON }
    expect(refusedKey).to.deep.equal({ kind: 'unknown-role', role: 'unknown' })
    expect(made).to.deep.equal({ kind: 'inserted', id: 1 })
    expect(found).to.deep.equal(shown)
    expect(revoked).to.deep.equal(['revoked', 'already-revoked', 'unknown'])
    expect(await store.apiKeys.find(key.digest, NOON)).to.equal(undefined)
    expect(await store.apiKeys.page(undefined, 10)).to.deep.equal([{ ...shown, revokedAt: NOON + 1 }])
  })

  it('take every budget that a project may have', async () => {
    const text = 'text' as ProjectText
    const budgets = [0, 0.1, Number.MAX_VALUE, 2 ** 53 + 2] as Budget[]
    const made = await Promise.all(
      budgets.map((budget) => store.projects.insert({ label: text, status: text, budget }, FIRST, NOON)),
    )
    expect(made.map((one) => [one.id, one.budget])).to.deep.equal(
      budgets.map((one, index) => [index + 1, one]),
    )
  })

  it('tell which of the two is missing when a role is given or taken', async () => {
    await member('admin')
    const [email, none] = ['user@example.org' as Email, 'none@example.org' as Email]
    const [admin, unknown] = ['admin' as RoleKey, 'unknown' as RoleKey]
    const answers = [
      await store.roles.assign(email, admin),
      await store.roles.assign(none, admin),
      await store.roles.assign(email, unknown),
      await store.roles.unassign(email, admin),
      await store.roles.unassign(email, admin),
      await store.roles.insert(role('admin')),
    ]
    expect(answers).to.deep.equal([
      'already-assigned',
      'unknown-account',
      'unknown-role',
      'unassigned',
      'not-assigned',
      'duplicate-key',
    ])
    expect(await store.roles.list()).to.deep.equal([role('admin')])
  })
})
