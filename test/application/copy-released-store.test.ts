import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { copyStore } from '../../src/application/copy-store.js'
import { contentOf, recordsOf } from '../../src/contracts/copyable-records/arrangements.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { PetId, PetName } from '../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { PairId, SessionId } from '../../src/domain/identity/session.js'
import type { PageLimit } from '../../src/domain/page-limit.js'
import type { ProjectId } from '../../src/domain/project/project.js'
import type { Store } from '../../src/ports/store.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { authorizeByDefault } from '../support/permissions.js'
import { describeWith } from '../support/required-tools.js'
import { loginRotation } from '../support/several-processes/samples.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const ANN = 2 as AccountId
const EDITOR = { uuid: 'uuid', key: 'editor', label: 'Editor' }
const AT = 30

/** A document in any collection. */
type Document = { _id: number | string } & Readonly<Record<string, unknown>>

const generation = (id: string, number: number, at: number) => ({
  ...{ number, pairId: `pair ${id}`, kid: 'kid', issuedAt: at, keyDigest: `digest ${id}`, idleEndsAt: 900 },
})
const opened = (id: string) => ({
  ...{ _id: id, accountId: ANN, epoch: 3, createdAt: 20, endsAt: 1_000, expiresAt: 900 },
  ...{ digests: [`digest ${id}`], current: generation(id, 1, 20) },
})

/** The content of a database from the first release. */
const FIRST_RELEASE: Readonly<Record<string, readonly Document[]>> = {
  meta: [
    { _id: 'schema', value: 1 },
    ...Object.entries({ accounts: 3, pets: 1, apiKeys: 1, projects: 1 }).map(([name, value]) => ({
      _id: `counter:${name}`,
      value,
    })),
  ],
  accounts: [
    {
      ...{ _id: 2, email: 'ann@example.org', passwordHash: 'hash', epoch: 3, createdAt: 2 },
      roles: [EDITOR],
    },
    { _id: 3, email: 'bob@example.org', epoch: 2, disabledAt: 99, createdAt: 3, roles: [] },
  ],
  roles: [{ _id: 'editor', uuid: 'uuid', label: 'Editor' }],
  sessions: [
    opened('c'),
    {
      ...{ ...opened('b'), createdAt: 10, digests: ['digest b', 'previous digest'] },
      current: generation('b', 2, 30),
      previous: { pairId: 'previous pair', keyDigest: 'previous digest', until: 40 },
    },
    opened('a'),
  ],
  pets: [
    {
      ...{ _id: 1, name: 'Rex', revision: 1 },
      idempotency: { scope: 'account:2', key: 'key', fingerprint: 'fingerprint', until: 500 },
    },
  ],
  apiKeys: [{ _id: 1, name: 'ci', digest: 'api digest', roles: [EDITOR], createdAt: 5 }],
  projects: [{ _id: 1, label: 'House', status: 'planned', budget: 1.5, createdBy: 2, createdAt: 6 }],
}

// The test of the SQLite schema upgrades a file of the first release.
describeWith('mongodb', 'a MongoDB database of the first release', () => {
  const inFolder = temporaryFolder()
  const stores: Store[] = []
  let database: FreshDatabase | undefined
  afterEach(async () => {
    for (const store of stores) await store.close()
    await database?.drop()
  })

  it('is copied to SQLite with all its data, and then accepts new records', async () => {
    database = freshDatabase()
    const client = await MongoClient.connect(database.url)
    for (const [name, documents] of Object.entries(FIRST_RELEASE))
      await client
        .db()
        .collection<Document>(name)
        .insertMany([...documents])
    await client.close()
    const [source, target] = [await openMongo(database.url), await openSqlite(inFolder('copy.db'))]
    stores.push(source, target)
    const copy = copyStore.factory({
      authorize: authorizeByDefault,
      source: recordsOf(source),
      digest: systemDigest,
    })
    expect((await copy({ caller: OPERATOR, target: recordsOf(target) })).kind).to.equal('copied')
    expect(await contentOf(recordsOf(target))).to.deep.equal(await contentOf(recordsOf(source)))
    for (const store of stores) await expectWhole(store)
  })
})

/** Asserts that the store contains the release's data, and that later features work with this data. */
async function expectWhole(store: Store): Promise<void> {
  const { accounts, sessions, revocations, pets, projects, apiKeys } = store
  const ann = {
    ...{ id: ANN, email: 'ann@example.org', passwordHash: 'hash', epoch: 3, createdAt: 2 },
    roles: [EDITOR],
  }
  expect((await accounts.page(undefined, 10)).map(({ id }) => id)).to.deep.equal([2, 3])
  expect(await accounts.search({ role: 'editor' as RoleKey, limit: 10 })).to.deep.equal([ann])
  expect((await accounts.search({ onlyDisabled: true, limit: 10 })).map(({ id }) => id)).to.deep.equal([3])
  expect((await sessions.pageOf({ accountId: ANN, limit: 10, at: AT })).map(({ id }) => id)).to.deep.equal([
    'b',
    'a',
    'c',
  ])
  expect((await sessions.find('previous digest' as never, AT))?.session.id).to.equal('b')
  expect(await sessions.endOne(ANN, 'a' as SessionId)).to.equal('ended')
  const login = { sessionId: 'stateless' as SessionId, accountId: ANN, epoch: 3 as Epoch }
  const from = 'the first pair' as PairId
  expect((await revocations.rotate(loginRotation('stateless', { from, at: AT }))).kind).to.equal('rotated')
  expect(await revocations.isRevoked(login, AT)).to.equal(false)
  expect(await store.secondFactors.find(ANN)).to.equal(undefined)
  expect(await store.secondFactors.begin(ANN, { sealedSecret: 'sealed' as never, at: AT })).to.equal('begun')
  const use = { scope: 'account:2', key: 'key', fingerprint: 'fingerprint', at: AT, until: 600 }
  expect(await pets.insert({ name: 'Rex' as PetName }, use)).to.deep.equal({ kind: 'repeated', id: 1 })
  expect(await pets.remove(1 as PetId)).to.equal('removed')
  expect(await pets.insert({ name: 'Mia' as PetName })).to.deep.equal({ kind: 'inserted', id: 2 })
  expect((await apiKeys.find('api digest' as never, AT))?.roles).to.deep.equal([EDITOR])
  const page = await projects.page(ANN, undefined, 10 as PageLimit)
  expect(page.projects.map(({ label }) => label)).to.deep.equal(['House'])
  expect((await projects.close(1 as ProjectId, ANN, AT))?.closedAt).to.equal(AT)
  expect(await store.proofs.listOf(ANN)).to.deep.equal([])
  const inserted = await accounts.insert({ email: 'new@example.org' as never, createdAt: AT })
  expect(inserted).to.deep.equal({ kind: 'inserted', id: 4 })
  expect(await accounts.remove(ANN)).to.equal('removed')
  expect(await sessions.purge(Number.MAX_SAFE_INTEGER, 10)).to.equal(0)
}
