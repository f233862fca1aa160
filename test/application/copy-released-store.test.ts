import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { connect } from '../../src/adapters/sqlite/driver.js'
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
import { freshDatabase } from '../support/mongodb/server.js'
import { authorizeByDefault } from '../support/permissions.js'
import { describeWith } from '../support/required-tools.js'
import { loginRotation } from '../support/several-processes/samples.js'
import { VERSION_1_FILE } from '../support/sqlite-version-1.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

type Opener = () => Promise<Store>

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

/** The content of a store file from the first release, in the document format of that release. */
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

describeWith('mongodb', 'a store of the first release', () => {
  const removals: (() => unknown)[] = []
  afterEach(async () => {
    for (const remove of removals.splice(0).reverse()) await remove()
  })

  async function kept(opening: Promise<Store>): Promise<Store> {
    const store = await opening
    removals.push(() => store.close())
    return store
  }

  function freshUrl(): string {
    const database = freshDatabase()
    removals.push(() => database.drop())
    return database.url
  }

  function freshPath(): string {
    const folder = makeTemporaryFolder()
    removals.push(() => folder.remove())
    return `${folder.path}/app.db`
  }

  const sources: Readonly<Record<string, Opener>> = {
    'a SQLite file': async () => {
      const path = freshPath()
      const connection = await connect(path)
      connection.exec(VERSION_1_FILE)
      connection.close()
      return await kept(openSqlite(path))
    },
    'a MongoDB database': async () => {
      const url = freshUrl()
      const client = await MongoClient.connect(url)
      for (const [name, documents] of Object.entries(FIRST_RELEASE))
        await client
          .db()
          .collection<Document>(name)
          .insertMany([...documents])
      await client.close()
      return await kept(openMongo(url))
    },
  }
  const targets: Readonly<Record<string, Opener>> = {
    SQLite: () => kept(openSqlite(freshPath())),
    MongoDB: () => kept(openMongo(freshUrl())),
  }

  for (const [what, open] of Object.entries(sources)) {
    it(`is opened as ${what} with all its data`, async () => {
      await expectWhole(await open())
    })

    for (const [name, openTarget] of Object.entries(targets)) {
      it(`is copied from ${what} to ${name}, which then accepts new records`, async () => {
        const [source, target] = [await open(), await openTarget()]
        const copy = copyStore.factory({
          authorize: authorizeByDefault,
          source: recordsOf(source),
          digest: systemDigest,
        })
        expect((await copy({ caller: OPERATOR, target: recordsOf(target) })).kind).to.equal('copied')
        expect(await contentOf(recordsOf(target))).to.deep.equal(await contentOf(recordsOf(source)))
        await expectWhole(target)
      })
    }
  }
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
