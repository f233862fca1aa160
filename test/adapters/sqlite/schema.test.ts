import { expect } from 'chai'

import { connect } from '../../../src/adapters/sqlite/driver.js'
import { RELEASED_STEPS } from '../../../src/adapters/sqlite/released-steps.js'
import { MIGRATIONS, setting } from '../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { giveFactor } from '../../../src/contracts/arrangements.js'
import type { ApiKeyDigest } from '../../../src/domain/access/api-key.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { PetDraft, PetId, PetName } from '../../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { ResetDigest, IssuedResetToken } from '../../../src/domain/identity/reset-token.js'
import type { KeyDigest, PairId, SessionId } from '../../../src/domain/identity/session.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import {
  account,
  loginRotation,
  NOON,
  redemption,
  RESET_TOKEN,
  session,
} from '../../support/several-processes/samples.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { VERSION_1_FILE } from '../../support/sqlite-version-1.js'

const ANN = 2 as AccountId
const BOB = 3 as AccountId
const EDITOR = { uuid: 'uuid', key: 'editor', label: 'Editor' }

describe('a SQLite file of version 1', () => {
  const inFolder = suiteFolder()

  async function makeVersion1(path: string): Promise<void> {
    const connection = await connect(path)
    connection.exec(VERSION_1_FILE)
    connection.close()
  }

  /** Every table and index in the words that made it, spaces aside, and the version. */
  async function schemaOf(path: string) {
    const connection = await connect(path)
    const rows = connection.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    const version = setting(connection, 'PRAGMA user_version')
    connection.close()
    return { version, rows: rows.map((row) => row.map((text) => String(text).replace(/\s+/g, ' '))) }
  }

  it('has the schema of a new file when it was opened', async () => {
    const [old, fresh] = [inFolder('old.db'), inFolder('fresh.db')]
    await makeVersion1(old)
    const before = await schemaOf(old)
    for (const path of [old, fresh]) await (await openSqlite(path)).close()
    const after = await schemaOf(old)
    expect([before.version, after.version]).to.deep.equal([1, MIGRATIONS.length])
    expect(after).to.deep.equal(await schemaOf(fresh))
    expect(after.rows).to.have.length.greaterThan(15)
  })

  it('keeps its accounts and their sessions', async () => {
    const path = inFolder('accounts.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const accounts = await store.accounts.page(undefined, 10)
    const page = await store.sessions.pageOf({ accountId: ANN, limit: 10, at: 30 })
    const found = await store.sessions.find('previous digest' as KeyDigest, 30)
    const inserted = await store.accounts.insert(account('new@example.org'))
    await store.close()
    expect(accounts).to.deep.equal([
      { id: ANN, email: 'ann@example.org', passwordHash: 'hash', epoch: 3, createdAt: 2, roles: [EDITOR] },
      { id: BOB, email: 'bob@example.org', epoch: 2, disabledAt: 99, createdAt: 3, roles: [] },
    ])
    expect(page.map(({ id }) => id)).to.deep.equal(['b', 'a', 'c'])
    expect(found?.session).to.deep.equal({
      ...{ id: 'b', accountId: ANN, epoch: 3, createdAt: 10, endsAt: 1000 },
      current: {
        ...{ number: 2, pairId: 'pair b', kid: 'kid', issuedAt: 30 },
        ...{ keyDigest: 'digest b', idleEndsAt: 900 },
      },
      previous: { pairId: 'previous pair', keyDigest: 'previous digest', until: 40 },
    })
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 4 })
  })

  it('takes a reset token, and a session with an actor, of older accounts', async () => {
    const path = inFolder('resets.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const email = 'ann@example.org' as Email
    const newcomer = (await store.accounts.insert(account('new@example.org'))) as { id: AccountId }
    const actor = { accountId: ANN, email, epoch: 3 as Epoch, endsAt: 1_000 }
    const acting = { ...session('acting', newcomer.id), actor }
    await store.sessions.open(acting)
    const found = await store.sessions.findById(acting.id, NOON)
    const issued = await store.accounts.issueResetToken(ANN, 3 as Epoch, RESET_TOKEN)
    const consumed = await store.accounts.consumeResetToken({ ...redemption('new hash'), email })
    const after = await store.sessions.findById(acting.id, NOON)
    await store.close()
    expect([issued, consumed]).to.deep.equal(['issued', ANN])
    expect([found?.session, after]).to.deep.equal([acting, undefined])
  })

  it('knows revocations, also of an earlier login', async () => {
    const path = inFolder('revocations.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const login = { sessionId: 'b' as SessionId, accountId: ANN, epoch: 3 as Epoch }
    const before = await store.revocations.isRevoked(login, 30)
    await store.revocations.revoke(login.sessionId, 40)
    const after = [await store.revocations.isRevoked(login, 39), await store.revocations.isRevoked(login, 40)]
    const purged = await store.revocations.purge(40, 10)
    await store.close()
    expect([before, after, purged]).to.deep.equal([false, [true, false], 1])
  })

  it('takes a revocation of an earlier release for one, and rotates what was never revoked', async () => {
    const path = inFolder('rotations.db')
    await makeVersion1(path)
    const before = await connect(path)
    for (const step of RELEASED_STEPS.slice(1)) before.exec(step)
    before.exec(`PRAGMA user_version = ${RELEASED_STEPS.length}`)
    before.exec("INSERT INTO revocations (session_id, until) VALUES ('ended', 40)")
    before.close()
    const store = await openSqlite(path)
    const rotate = async (sessionId: string) =>
      (await store.revocations.rotate({ ...loginRotation(sessionId), at: 30 })).kind
    const kinds = [await rotate('ended'), await rotate('other'), await rotate('other')]
    await store.close()
    expect(kinds).to.deep.equal(['revoked', 'rotated', 'superseded'])
  })

  it('keeps its projects, which can be read and closed now', async () => {
    const path = inFolder('projects.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const page = await store.projects.page(ANN, undefined, 10 as PageLimit)
    const house = {
      id: 1 as ProjectId,
      label: 'House',
      status: 'planned',
      budget: 1.5,
      createdBy: ANN,
      createdAt: 6,
    }
    const closed = await store.projects.close(house.id, ANN, NOON)
    const others = await store.projects.find(house.id, BOB)
    await store.close()
    expect(page).to.deep.equal({ projects: [house] })
    expect([closed, others]).to.deep.equal([{ ...house, closedAt: NOON }, undefined])
  })

  it('gives the id of a removed pet to no other', async () => {
    const path = inFolder('removed.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const removed = await store.pets.remove(1 as PetId)
    const next = await store.pets.insert({ name: 'Mia' as PetName })
    await store.close()
    expect([removed, next]).to.deep.equal(['removed', { kind: 'inserted', id: 2 }])
  })

  it('keeps its pets and its keys', async () => {
    const path = inFolder('pets.db')
    await makeVersion1(path)
    const store = await openSqlite(path)
    const pet = await store.pets.find(1 as PetId)
    const draft: PetDraft = { name: 'Rex' as PetName }
    const use = { scope: 'account:2', key: 'key', fingerprint: 'fingerprint', at: 499, until: 600 }
    const repeated = await store.pets.insert(draft, use)
    const key = await store.apiKeys.find('api digest' as ApiKeyDigest, 30)
    await store.close()
    expect(pet).to.deep.equal({ id: 1, name: 'Rex', revision: 1 })
    expect(repeated).to.deep.equal({ kind: 'repeated', id: 1 })
    expect(key).to.deep.equal({ id: 1, name: 'ci', roles: [EDITOR], createdAt: 5 })
  })
})

describe('a SQLite file of version 5, which has one reset token for an account', () => {
  const inFolder = suiteFolder()
  const of = (text: string): Pick<IssuedResetToken, 'digest'> => ({ digest: text as ResetDigest })

  async function makeVersion5(path: string): Promise<void> {
    await makeFile(path, MIGRATIONS.slice(0, 5))
    const connection = await connect(path)
    connection.exec(`
      INSERT INTO accounts (email, epoch, created_at, reset_digest, reset_until, reset_epoch) VALUES
        ('ann@example.org', 3, 1, 'of ann', ${NOON + 1}, 3),
        ('bob@example.org', 3, 1, 'of bob', ${NOON + 1}, 2),
        ('eve@example.org', 1, 1, NULL, NULL, NULL)`)
    connection.close()
  }

  it('keeps the reset tokens, in force or not, beside newer ones', async () => {
    const path = inFolder('reset-tokens.db')
    await makeVersion5(path)
    const store = await openSqlite(path)
    const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => ({ email: `${name}@example.org` as Email }))
    const holds = async (account: typeof ann, text: string) =>
      await store.accounts.holdsResetToken(account?.email as Email, of(text).digest, NOON)
    const before = [await holds(ann, 'of ann'), await holds(bob, 'of bob'), await holds(eve, '')]
    await store.accounts.issueResetToken(1 as AccountId, 3 as Epoch, RESET_TOKEN)
    const after = [await holds(ann, 'of ann'), await holds(ann, RESET_TOKEN.digest)]
    const records = await store.records?.page('account', undefined, 10)
    const consumed = await store.accounts.consumeResetToken({
      ...{ email: ann?.email as Email, ...of('of ann'), at: NOON, hash: 'hash' as PasswordHash },
    })
    const spent = [await holds(ann, 'of ann'), await holds(ann, RESET_TOKEN.digest)]
    await store.close()
    expect(before).to.deep.equal([true, false, false])
    expect(after).to.deep.equal([true, true])
    expect(records?.map(({ resets }) => resets?.map(({ digest, epoch }) => [digest, epoch]))).to.deep.equal([
      [
        ['of ann', 3],
        [RESET_TOKEN.digest, 3],
      ],
      [['of bob', 2]],
      undefined,
    ])
    expect([consumed, ...spent]).to.deep.equal([1, false, false])
  })
})

describe('a SQLite file of version 8, whose sessions have their digests by what they are', () => {
  const inFolder = suiteFolder()
  const BEFORE = ['a', 'b', 'c', 'd'].map((id, index) => {
    const number = index + 1
    const opened = session(id, 1 as AccountId)
    const current = { ...opened.current, number, keyDigest: `current ${id}` as KeyDigest }
    const keyDigest = `previous ${id}` as KeyDigest
    const previous = { pairId: 'earlier' as PairId, keyDigest, until: NOON + 10 }
    return index < 2 ? { ...opened, current } : { ...opened, current, previous }
  })

  async function makeVersion8(path: string): Promise<void> {
    await makeFile(path, MIGRATIONS.slice(0, 8))
    const connection = await connect(path)
    connection.exec("INSERT INTO accounts (email, epoch, created_at) VALUES ('ann@example.org', 1, 1)")
    const insert = connection.prepare(`
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, key_digest, idle_ends_at,
        previous_pair_id, previous_digest, previous_until
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    for (const { id, accountId, epoch, createdAt, endsAt, current, ...rest } of BEFORE) {
      const { number, pairId, kid, issuedAt, keyDigest, idleEndsAt } = current
      const previous = 'previous' in rest ? rest.previous : undefined
      insert.run(
        ...[id, accountId, epoch, createdAt, endsAt, number, pairId, kid, issuedAt, keyDigest, idleEndsAt],
        ...[previous?.pairId ?? null, previous?.keyDigest ?? null, previous?.until ?? null],
      )
    }
    connection.close()
  }

  it('keeps them to the letter, and finds them by both keys', async () => {
    const path = inFolder('kept.db')
    await makeVersion8(path)
    const store = await openSqlite(path)
    const byId = await Promise.all(BEFORE.map(({ id }) => store.sessions.findById(id, NOON)))
    const byKey = await Promise.all(BEFORE.map(({ current }) => store.sessions.find(current.keyDigest, NOON)))
    const previous = BEFORE.map(({ id }) => `previous ${id}` as KeyDigest)
    const byPrevious = await Promise.all(previous.map((digest) => store.sessions.find(digest, NOON)))
    await store.close()
    expect(byId.map((one) => one?.session)).to.deep.equal(BEFORE)
    expect(byKey.map((one) => one?.session)).to.deep.equal(BEFORE)
    expect(byPrevious.map((one) => one?.session.id)).to.deep.equal([undefined, undefined, 'c', 'd'])
  })

  it('goes on with them: what was current is previous, what was previous is gone, and the purge has its turn', async () => {
    const path = inFolder('rotated.db')
    await makeVersion8(path)
    const store = await openSqlite(path)
    for (const { id, current } of BEFORE) {
      const keyDigest = `next ${id}` as KeyDigest
      const next = { ...current, number: current.number + 1, pairId: 'next' as PairId, keyDigest }
      const request = { sessionId: id, from: current.pairId, keyDigest: current.keyDigest, next, at: NOON }
      expect(await store.sessions.rotate({ ...request, grace: 10 })).to.have.property('kind', 'rotated')
    }
    const digests = BEFORE.flatMap(({ id }) => [`next ${id}`, `current ${id}`, `previous ${id}`])
    const found = await Promise.all(digests.map((one) => store.sessions.find(one as KeyDigest, NOON)))
    const ends = BEFORE.map(({ current }) => current.idleEndsAt)
    const purged = [
      await store.sessions.purge(Math.min(...ends) - 1, 10),
      await store.sessions.purge(Math.max(...ends), 10),
    ]
    await store.close()
    expect(found.map((one) => one?.session.id)).to.deep.equal(BEFORE.flatMap(({ id }) => [id, id, undefined]))
    expect(purged).to.deep.equal([0, 4])
  })
})

describe('a SQLite file of version 9, which knows no second factor', () => {
  const inFolder = suiteFolder()

  it('has accounts and sessions without one, and takes one', async () => {
    const path = inFolder('factors.db')
    await makeFile(path, MIGRATIONS.slice(0, 9))
    const connection = await connect(path)
    connection.exec(`
      INSERT INTO accounts (email, epoch, created_at) VALUES ('ann@example.org', 1, 1);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, odd_digest, purge_at
      ) VALUES ('a', 1, 1, 1, ${NOON + 9}, 1, 'pair', 'kid', 1, ${NOON + 9}, 'digest', ${NOON + 9})`)
    connection.close()
    const store = await openSqlite(path)
    const before = await store.sessions.find('digest' as KeyDigest, NOON)
    await giveFactor(store, { id: 1 as AccountId })
    const after = await store.sessions.find('digest' as KeyDigest, NOON)
    await store.close()
    expect(before?.account).to.deep.equal({
      ...{ id: 1, email: 'ann@example.org', epoch: 1, createdAt: 1, roles: [] },
    })
    expect(before?.session).not.to.have.property('factor')
    expect(after).to.deep.equal({ ...before, account: { ...before?.account, secondFactor: true } })
  })
})

describe('a SQLite file of version 9, whose sessions do not tell where their logins came from', () => {
  const inFolder = suiteFolder()

  async function makeVersion9(path: string): Promise<void> {
    await makeFile(path, MIGRATIONS.slice(0, 9))
    const connection = await connect(path)
    connection.exec(`
      INSERT INTO accounts (email, password_hash, epoch, created_at) VALUES
        ('ann@example.org', 'hash', 1, 1), ('bob@example.org', 'hash', 1, 1);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, network, odd_digest,
        purge_at, actor_id, actor_email, actor_epoch, actor_ends_at
      ) VALUES
        ('own', 1, 1, 5, 900, 1, 'pair', 'kid', 5, 800, '203.0.113.7', 'digest of own', 800, NULL, NULL, NULL, NULL),
        ('acting', 2, 1, 6, 900, 1, 'pair', 'kid', 6, 800, NULL, 'digest of acting', 800, 1, 'ann@example.org', 1, 900)`)
    connection.close()
  }

  it('keeps them without, and finds those in which an account acts', async () => {
    const path = inFolder('openings.db')
    await makeVersion9(path)
    const store = await openSqlite(path)
    const [ann, bob, own] = [1 as AccountId, 2 as AccountId, 'own' as SessionId]
    const before = await store.sessions.find('digest of own' as KeyDigest, 30)
    const acting = await store.sessions.findById('acting' as SessionId, 30)
    const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.8' }
    const opened = { ...session('new', ann), epoch: 1 as Epoch, createdAt: 20, openedBy }
    const ended = await store.sessions.openWithLimit(opened, 1)
    const page = await store.sessions.pageOf({ accountId: ann, limit: 10, at: 30 })
    const others = await store.sessions.endOthers(ann, opened.id, 30)
    const left = await store.sessions.pageOf({ accountId: bob, limit: 10, at: 30 })
    const records = await store.records?.page('session', undefined, 10)
    await store.close()
    expect(before?.session).to.deep.equal({
      ...{ id: own, accountId: ann, epoch: 1, createdAt: 5, endsAt: 900 },
      current: {
        ...{
          number: 1,
          pairId: 'pair',
          kid: 'kid',
          issuedAt: 5,
          keyDigest: 'digest of own',
          idleEndsAt: 800,
        },
        network: '203.0.113.7',
      },
    })
    expect(acting?.session).to.have.property('actor')
    expect([ended, page]).to.deep.equal([1, [opened]])
    expect([others, left, records]).to.deep.equal([1, [], [opened]])
  })
})

describe('a SQLite file of version 9, whose memberships know nothing of the account', () => {
  const inFolder = suiteFolder()

  it('finds its accounts by every search, and goes on', async () => {
    const path = inFolder('searched.db')
    await makeFile(path, MIGRATIONS.slice(0, 9))
    const connection = await connect(path)
    connection.exec(`
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor'), ('owner', 'uuid 2', 'Owner');
      INSERT INTO accounts (email, epoch, created_at, disabled_at) VALUES
        ('cid@example.org', 1, 1, NULL), ('ann@example.org', 1, 1, 5), ('bob@example.org', 1, 1, NULL);
      INSERT INTO memberships (account_id, role_key) VALUES (1, 'editor'), (2, 'editor'), (2, 'owner');
      INSERT INTO api_keys (name, digest, created_at) VALUES ('ci', 'digest', 5)`)
    connection.close()
    const store = await openSqlite(path)
    const role = 'editor' as RoleKey
    const found = async (search: object) =>
      (await store.accounts.search({ limit: 10, ...search })).map(({ id }) => id)
    const searches = [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }]
    const before = await Promise.all(searches.map(found))
    await store.accounts.setDisabled(1 as AccountId, 6)
    await store.roles.assign('bob@example.org' as Email, role)
    const after = await Promise.all(searches.map(found))
    const key = await store.apiKeys.find('digest' as ApiKeyDigest, 10)
    await store.close()
    expect(before).to.deep.equal([[2, 3, 1], [2, 1], [2], [2]])
    expect(after).to.deep.equal([
      [2, 3, 1],
      [2, 3, 1],
      [2, 1],
      [2, 1],
    ])
    expect(key).to.deep.equal({ id: 1, name: 'ci', roles: [], createdAt: 5 })
  })
})

describe('a SQLite file of version 17, whose emails are in lower case', () => {
  const inFolder = suiteFolder()

  async function openVersion17(path: string) {
    await makeFile(path, MIGRATIONS.slice(0, 17))
    const connection = await connect(path)
    connection.exec(`
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor');
      INSERT INTO accounts (email, password_hash, epoch, created_at) VALUES
        ('ann@example.org', 'hash', 1, 1), ('bob@bücher.example', 'hash', 1, 1), ('νικος@example.org', 'hash', 1, 1),
        ('νικοσ@example.org', 'hash', 1, 1), ('a\u00adb@straße.example', 'hash', 1, 1), ('eve@example.org.', 'hash', 1, 1);
      INSERT INTO memberships (account_id, role_key, email) SELECT id, 'editor', email FROM accounts`)
    connection.close()
    return await openSqlite(path)
  }

  it('has canonical emails, shows the stored emails, and merges no accounts', async () => {
    const store = await openVersion17(inFolder('emails.db'))
    const emails = (await store.accounts.page(undefined, 10)).map(({ email, enteredEmail, sharedEmail }) => [
      ...[email, enteredEmail, sharedEmail],
    ])
    const found = await store.accounts.search({ role: 'editor' as RoleKey, limit: 10 })
    await store.close()
    expect(emails).to.deep.equal([
      ['ann@example.org', undefined, undefined],
      ['bob@xn--bcher-kva.example', 'bob@bücher.example', undefined],
      ['νικος@example.org', undefined, 'νικοσ@example.org'],
      ['νικοσ@example.org', undefined, 'νικοσ@example.org'],
      ['a\u00adb@straße.example', undefined, undefined],
      ['eve@example.org', 'eve@example.org.', undefined],
    ])
    expect(found.map(({ id }) => id)).to.deep.equal([1, 5, 2, 6, 3, 4])
  })

  it('lets both accounts of one canonical email be found, and takes no third account', async () => {
    const store = await openVersion17(inFolder('shared-emails.db'))
    const canonical = 'νικοσ@example.org' as Email
    const idOf = async (former: string) => (await store.accounts.findByEmail(canonical, former as Email))?.id
    const before = [await idOf('νικος@example.org'), await idOf('νικοσ@example.org')]
    const third = await store.accounts.insert({ email: canonical, createdAt: 1 })
    await store.accounts.remove(4 as AccountId)
    const after = [await idOf('νικος@example.org'), await idOf('νικοσ@example.org')]
    await store.close()
    expect([before, third, after]).to.deep.equal([[3, 4], { kind: 'duplicate-email' }, [3, 3]])
  })
})

/** A file as an earlier release has left it, after these steps. */
async function makeFile(path: string, steps: readonly string[]): Promise<void> {
  const connection = await connect(path)
  for (const step of steps) connection.exec(step)
  connection.exec(`PRAGMA application_id = 1263423052; PRAGMA user_version = ${steps.length}`)
  connection.close()
}
