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
import type { ResetDigest } from '../../../src/domain/identity/reset-token.js'
import type { KeyDigest, PairId, SessionId } from '../../../src/domain/identity/session.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import type { Store } from '../../../src/ports/store.js'
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
const FIRST = 1 as AccountId
const EDITOR = { uuid: 'uuid', key: 'editor', label: 'Editor' }
const emailOf = (name: string) => `${name}@example.org` as Email
const keyOf = (text: string) => text as KeyDigest

describe('a SQLite file of an earlier release', () => {
  const inFolder = suiteFolder()
  let files = 0

  async function executed(path: string, ...statements: readonly string[]): Promise<void> {
    const connection = await connect(path)
    for (const statement of statements) connection.exec(statement)
    connection.close()
  }

  /** A new file as this version has left it, with these rows. */
  async function fileOf(version: number, rows = ''): Promise<string> {
    const path = inFolder(`${(files += 1)}.db`)
    const marks = `PRAGMA application_id = 1263423052; PRAGMA user_version = ${version}`
    await executed(path, ...MIGRATIONS.slice(0, version), marks, rows)
    return path
  }

  async function fileOfVersion1(): Promise<string> {
    const path = inFolder(`${(files += 1)}.db`)
    await executed(path, VERSION_1_FILE)
    return path
  }

  /** Opens the file in this release, which migrates it. */
  async function migrated(file: Promise<string>, work: (store: Store) => Promise<void>): Promise<void> {
    const store = await openSqlite(await file)
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  /** The statement of every table and index, apart from white space, and the version. */
  async function schemaOf(path: string) {
    const connection = await connect(path)
    const rows = connection.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    const version = setting(connection, 'PRAGMA user_version')
    connection.close()
    return { version, rows: rows.map((row) => row.map((text) => String(text).replace(/\s+/g, ' '))) }
  }

  describe('with version 1', () => {
    it('gets the schema of a new file', async () => {
      const [old, fresh] = [await fileOfVersion1(), inFolder('fresh.db')]
      const before = await schemaOf(old)
      for (const path of [old, fresh]) await (await openSqlite(path)).close()
      const after = await schemaOf(old)
      expect([before.version, after.version]).to.deep.equal([1, MIGRATIONS.length])
      expect(after).to.deep.equal(await schemaOf(fresh))
      expect(after.rows).to.have.length.greaterThan(15)
    })

    it('keeps its accounts and their sessions', async () => {
      await migrated(fileOfVersion1(), async ({ accounts, sessions }) => {
        expect(await accounts.page(undefined, 10)).to.deep.equal([
          {
            ...{ id: ANN, email: emailOf('ann'), passwordHash: 'hash', epoch: 3, createdAt: 2 },
            roles: [EDITOR],
          },
          { id: BOB, email: emailOf('bob'), epoch: 2, disabledAt: 99, createdAt: 3, roles: [] },
        ])
        const page = await sessions.pageOf({ accountId: ANN, limit: 10, at: 30 })
        expect(page.map(({ id }) => id)).to.deep.equal(['b', 'a', 'c'])
        expect((await sessions.find(keyOf('previous digest'), 30))?.session).to.deep.equal({
          ...{ id: 'b', accountId: ANN, epoch: 3, createdAt: 10, endsAt: 1000 },
          current: {
            ...{ number: 2, pairId: 'pair b', kid: 'kid', issuedAt: 30 },
            ...{ keyDigest: 'digest b', idleEndsAt: 900 },
          },
          previous: { pairId: 'previous pair', keyDigest: 'previous digest', until: 40 },
        })
        expect(await accounts.insert(account(emailOf('new')))).to.deep.equal({ kind: 'inserted', id: 4 })
      })
    })

    it('accepts a reset token, and a session with an actor, of its accounts', async () => {
      await migrated(fileOfVersion1(), async ({ accounts, sessions }) => {
        const email = emailOf('ann')
        const newcomer = (await accounts.insert(account(emailOf('new')))) as { id: AccountId }
        const actor = { accountId: ANN, email, epoch: 3 as Epoch, endsAt: 1_000 }
        const acting = { ...session('acting', newcomer.id), actor }
        await sessions.open(acting)
        expect((await sessions.findById(acting.id, NOON))?.session).to.deep.equal(acting)
        expect(await accounts.issueResetToken(ANN, 3 as Epoch, RESET_TOKEN)).to.equal('issued')
        expect(await accounts.consumeResetToken({ ...redemption('new hash'), email })).to.equal(ANN)
        expect(await sessions.findById(acting.id, NOON)).to.equal(undefined)
      })
    })

    it('revokes a login that began before', async () => {
      await migrated(fileOfVersion1(), async ({ revocations }) => {
        const login = { sessionId: 'b' as SessionId, accountId: ANN, epoch: 3 as Epoch }
        expect(await revocations.isRevoked(login, 30)).to.equal(false)
        await revocations.revoke(login.sessionId, 40)
        const revoked = [await revocations.isRevoked(login, 39), await revocations.isRevoked(login, 40)]
        expect([...revoked, await revocations.purge(40, 10)]).to.deep.equal([true, false, 1])
      })
    })

    it('keeps its projects, which can be read and closed', async () => {
      await migrated(fileOfVersion1(), async ({ projects }) => {
        const id = 1 as ProjectId
        const house = { id, label: 'House', status: 'planned', budget: 1.5, createdBy: ANN, createdAt: 6 }
        expect(await projects.page(ANN, undefined, 10 as PageLimit)).to.deep.equal({ projects: [house] })
        expect(await projects.close(id, ANN, NOON)).to.deep.equal({ ...house, closedAt: NOON })
        expect(await projects.find(id, BOB)).to.equal(undefined)
      })
    })

    it('gives the ID of a removed pet to no other pet', async () => {
      await migrated(fileOfVersion1(), async ({ pets }) => {
        expect(await pets.remove(1 as PetId)).to.equal('removed')
        expect(await pets.insert({ name: 'Mia' as PetName })).to.deep.equal({ kind: 'inserted', id: 2 })
      })
    })

    it('keeps its pets, its idempotency keys and its API keys', async () => {
      await migrated(fileOfVersion1(), async ({ pets, apiKeys }) => {
        expect(await pets.find(1 as PetId)).to.deep.equal({ id: 1, name: 'Rex', revision: 1 })
        const draft: PetDraft = { name: 'Rex' as PetName }
        const use = { scope: 'account:2', key: 'key', fingerprint: 'fingerprint', at: 499, until: 600 }
        expect(await pets.insert(draft, use)).to.deep.equal({ kind: 'repeated', id: 1 })
        const key = await apiKeys.find('api digest' as ApiKeyDigest, 30)
        expect(key).to.deep.equal({ id: 1, name: 'ci', roles: [EDITOR], createdAt: 5 })
      })
    })
  })

  it('keeps its revocations, and rotates logins that were not revoked', async () => {
    const path = await fileOfVersion1()
    await executed(path, ...RELEASED_STEPS.slice(1), `PRAGMA user_version = ${RELEASED_STEPS.length}`)
    await executed(path, "INSERT INTO revocations (session_id, until) VALUES ('ended', 40)")
    await migrated(Promise.resolve(path), async ({ revocations }) => {
      const kinds = []
      for (const sessionId of ['ended', 'other', 'other'])
        kinds.push((await revocations.rotate({ ...loginRotation(sessionId), at: 30 })).kind)
      expect(kinds).to.deep.equal(['revoked', 'rotated', 'superseded'])
    })
  })

  it('of version 5, with one reset token per account, keeps these tokens beside newer tokens', async () => {
    const rows = `
      INSERT INTO accounts (email, epoch, created_at, reset_digest, reset_until, reset_epoch) VALUES
        ('ann@example.org', 3, 1, 'of ann', ${NOON + 1}, 3),
        ('bob@example.org', 3, 1, 'of bob', ${NOON + 1}, 2),
        ('eve@example.org', 1, 1, NULL, NULL, NULL)`
    await migrated(fileOf(5, rows), async ({ accounts, copyableRecords: records }) => {
      const holds = async (name: string, digest: string) =>
        await accounts.holdsResetToken(emailOf(name), digest as ResetDigest, NOON)
      const both = async () => [await holds('ann', 'of ann'), await holds('ann', RESET_TOKEN.digest)]
      expect(await holds('ann', 'of ann')).to.equal(true)
      expect([await holds('bob', 'of bob'), await holds('eve', '')]).to.deep.equal([false, false])
      await accounts.issueResetToken(FIRST, 3 as Epoch, RESET_TOKEN)
      expect(await both()).to.deep.equal([true, true])
      const copied = (await records?.page('account', undefined, 10)) ?? []
      const [ann, bob, eve] = copied.map(({ resets }) => resets?.map(({ digest, epoch }) => [digest, epoch]))
      const newer = [RESET_TOKEN.digest, 3]
      expect([ann, bob, eve]).to.deep.equal([[['of ann', 3], newer], [['of bob', 2]], undefined])
      const consumption = { digest: 'of ann' as ResetDigest, at: NOON, hash: 'hash' as PasswordHash }
      expect(await accounts.consumeResetToken({ email: emailOf('ann'), ...consumption })).to.equal(1)
      expect(await both()).to.deep.equal([false, false])
    })
  })

  describe('with version 8, whose sessions have a column for each role of a digest', () => {
    const BEFORE = ['a', 'b', 'c', 'd'].map((id, index) => {
      const opened = session(id, FIRST)
      const current = { ...opened.current, number: index + 1, keyDigest: keyOf(`current ${id}`) }
      const previous = { pairId: 'earlier' as PairId, keyDigest: keyOf(`previous ${id}`), until: NOON + 10 }
      return index < 2 ? { ...opened, current } : { ...opened, current, previous }
    })

    async function fileOfVersion8(): Promise<string> {
      const path = await fileOf(
        8,
        "INSERT INTO accounts (email, epoch, created_at) VALUES ('ann@example.org', 1, 1)",
      )
      const connection = await connect(path)
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
      return path
    }

    it('keeps its sessions, and finds them by both keys', async () => {
      await migrated(fileOfVersion8(), async ({ sessions }) => {
        const byId = await Promise.all(BEFORE.map(({ id }) => sessions.findById(id, NOON)))
        const byKey = await Promise.all(BEFORE.map(({ current }) => sessions.find(current.keyDigest, NOON)))
        const byPrevious = await Promise.all(
          BEFORE.map(({ id }) => sessions.find(keyOf(`previous ${id}`), NOON)),
        )
        for (const found of [byId, byKey]) expect(found.map((one) => one?.session)).to.deep.equal(BEFORE)
        expect(byPrevious.map((one) => one?.session.id)).to.deep.equal([undefined, undefined, 'c', 'd'])
      })
    })

    it('rotates and purges its sessions', async () => {
      await migrated(fileOfVersion8(), async ({ sessions }) => {
        for (const { id, current } of BEFORE) {
          const keyDigest = keyOf(`next ${id}`)
          const next = { ...current, number: current.number + 1, pairId: 'next' as PairId, keyDigest }
          const request = {
            sessionId: id,
            from: current.pairId,
            keyDigest: current.keyDigest,
            next,
            at: NOON,
          }
          expect(await sessions.rotate({ ...request, grace: 10 })).to.have.property('kind', 'rotated')
        }
        const digests = BEFORE.flatMap(({ id }) => [`next ${id}`, `current ${id}`, `previous ${id}`])
        const found = await Promise.all(digests.map((one) => sessions.find(keyOf(one), NOON)))
        const expected = BEFORE.flatMap(({ id }) => [id, id, undefined])
        expect(found.map((one) => one?.session.id)).to.deep.equal(expected)
        const ends = BEFORE.map(({ current }) => current.idleEndsAt)
        expect(await sessions.purge(Math.min(...ends) - 1, 10)).to.equal(0)
        expect(await sessions.purge(Math.max(...ends), 10)).to.equal(4)
      })
    })
  })

  it('of version 9 has accounts and sessions without a second factor, and accepts one', async () => {
    const rows = `
      INSERT INTO accounts (email, epoch, created_at) VALUES ('ann@example.org', 1, 1);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, odd_digest, purge_at
      ) VALUES ('a', 1, 1, 1, ${NOON + 9}, 1, 'pair', 'kid', 1, ${NOON + 9}, 'digest', ${NOON + 9})`
    await migrated(fileOf(9, rows), async (store) => {
      const before = await store.sessions.find(keyOf('digest'), NOON)
      const plain = { id: 1, email: emailOf('ann'), epoch: 1, createdAt: 1, roles: [] }
      expect(before?.account).to.deep.equal(plain)
      expect(before?.session).not.to.have.property('factor')
      await giveFactor(store, { id: FIRST })
      const after = await store.sessions.find(keyOf('digest'), NOON)
      expect(after).to.deep.equal({ ...before, account: { ...before?.account, secondFactor: true } })
    })
  })

  it('of version 9 keeps sessions without an origin, and finds the sessions of actors', async () => {
    const rows = `
      INSERT INTO accounts (email, password_hash, epoch, created_at) VALUES
        ('ann@example.org', 'hash', 1, 1), ('bob@example.org', 'hash', 1, 1);
      INSERT INTO sessions (
        id, account_id, epoch, created_at, ends_at, number, pair_id, kid, issued_at, idle_ends_at, network, odd_digest,
        purge_at, actor_id, actor_email, actor_epoch, actor_ends_at
      ) VALUES
        ('own', 1, 1, 5, 900, 1, 'pair', 'kid', 5, 800, '203.0.113.7', 'digest of own', 800, NULL, NULL, NULL, NULL),
        ('acting', 2, 1, 6, 900, 1, 'pair', 'kid', 6, 800, NULL, 'digest of acting', 800, 1, 'ann@example.org', 1, 900)`
    await migrated(fileOf(9, rows), async ({ sessions, copyableRecords: records }) => {
      expect((await sessions.find(keyOf('digest of own'), 30))?.session).to.deep.equal({
        ...{ id: 'own', accountId: FIRST, epoch: 1, createdAt: 5, endsAt: 900 },
        current: {
          ...{ number: 1, pairId: 'pair', kid: 'kid', issuedAt: 5, keyDigest: 'digest of own' },
          ...{ idleEndsAt: 800, network: '203.0.113.7' },
        },
      })
      expect((await sessions.findById('acting' as SessionId, 30))?.session).to.have.property('actor')
      const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.8' }
      const opened = { ...session('new', FIRST), epoch: 1 as Epoch, createdAt: 20, openedBy }
      const pageOf = (id: number) => sessions.pageOf({ accountId: id as AccountId, limit: 10, at: 30 })
      expect([await sessions.openWithLimit(opened, 1), await pageOf(1)]).to.deep.equal([1, [opened]])
      expect([await sessions.endOthers(FIRST, opened.id, 30), await pageOf(2)]).to.deep.equal([1, []])
      expect(await records?.page('session', undefined, 10)).to.deep.equal([opened])
    })
  })

  it('of version 9 finds its accounts by every search, before and after changes', async () => {
    const rows = `
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor'), ('owner', 'uuid 2', 'Owner');
      INSERT INTO accounts (email, epoch, created_at, disabled_at) VALUES
        ('cid@example.org', 1, 1, NULL), ('ann@example.org', 1, 1, 5), ('bob@example.org', 1, 1, NULL);
      INSERT INTO memberships (account_id, role_key) VALUES (1, 'editor'), (2, 'editor'), (2, 'owner');
      INSERT INTO api_keys (name, digest, created_at) VALUES ('ci', 'digest', 5)`
    await migrated(fileOf(9, rows), async ({ accounts, roles, apiKeys }) => {
      const role = 'editor' as RoleKey
      const found = async () => {
        const searches = [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }]
        const pages = await Promise.all(searches.map((one) => accounts.search({ limit: 10, ...one })))
        return pages.map((page) => page.map(({ id }) => Number(id)).join())
      }
      expect(await found()).to.deep.equal(['2,3,1', '2,1', '2', '2'])
      await accounts.setDisabled(FIRST, 6)
      await roles.assign(emailOf('bob'), role)
      expect(await found()).to.deep.equal(['2,3,1', '2,3,1', '2,1', '2,1'])
      const key = await apiKeys.find('digest' as ApiKeyDigest, 10)
      expect(key).to.deep.equal({ id: 1, name: 'ci', roles: [], createdAt: 5 })
    })
  })

  describe('with version 17, whose emails are in lower case', () => {
    const ROWS = `
      INSERT INTO roles (key, uuid, label) VALUES ('editor', 'uuid', 'Editor');
      INSERT INTO accounts (email, password_hash, epoch, created_at) VALUES
        ('ann@example.org', 'hash', 1, 1), ('bob@bücher.example', 'hash', 1, 1), ('νικος@example.org', 'hash', 1, 1),
        ('νικοσ@example.org', 'hash', 1, 1), ('a\u00adb@straße.example', 'hash', 1, 1), ('eve@example.org.', 'hash', 1, 1);
      INSERT INTO memberships (account_id, role_key, email) SELECT id, 'editor', email FROM accounts`

    it('gets canonical emails, shows the stored emails, and merges no accounts', async () => {
      await migrated(fileOf(17, ROWS), async ({ accounts }) => {
        const all = await accounts.page(undefined, 10)
        expect(all.map((one) => [one.email, one.enteredEmail, one.sharedEmail])).to.deep.equal([
          ['ann@example.org', undefined, undefined],
          ['bob@xn--bcher-kva.example', 'bob@bücher.example', undefined],
          ['νικος@example.org', undefined, 'νικοσ@example.org'],
          ['νικοσ@example.org', undefined, 'νικοσ@example.org'],
          ['a\u00adb@straße.example', undefined, undefined],
          ['eve@example.org', 'eve@example.org.', undefined],
        ])
        const found = await accounts.search({ role: 'editor' as RoleKey, limit: 10 })
        expect(found.map(({ id }) => id)).to.deep.equal([1, 5, 2, 6, 3, 4])
      })
    })

    it('finds both accounts of one canonical email, and accepts no third account', async () => {
      await migrated(fileOf(17, ROWS), async ({ accounts }) => {
        const [canonical, former] = [emailOf('νικοσ'), emailOf('νικος')]
        const ids = async () =>
          await Promise.all(
            [former, canonical].map(async (one) => (await accounts.findByEmail(canonical, one))?.id),
          )
        expect(await ids()).to.deep.equal([3, 4])
        const third = await accounts.insert({ email: canonical, createdAt: 1 })
        expect(third).to.deep.equal({ kind: 'duplicate-email' })
        await accounts.remove(4 as AccountId)
        expect(await ids()).to.deep.equal([3, 3])
      })
    })
  })
})
