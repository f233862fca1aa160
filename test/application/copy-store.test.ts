import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { copyStore } from '../../src/application/copy-store.js'
import { OPERATION_TABLE } from '../../src/application/wiring.js'
import { compose } from '../../src/composition-root/container.js'
import { SYSTEM_TABLE } from '../../src/composition-root/infrastructure.js'
import { accountOf, addAccount } from '../../src/contracts/arrangements.js'
import { contentOf, fill, recordsOf } from '../../src/contracts/copyable-records/arrangements.js'
import { aPet, aRole } from '../../src/contracts/samples.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { compiledPermissions, authorizeByDefault } from '../support/permissions.js'
import { refusalOf } from '../support/refusal-of.js'
import { describeWith } from '../support/required-tools.js'
import { startProcess, type OtherProcess } from '../support/several-processes/other-process.js'
import { temporaryFolder, suiteFolder } from '../support/temporary-folder.js'

/** Enough pets for five pages of a copy, the last of which is only partly full. */
const PETS = 4 * 200 + 100

// The contract tests of `CopyableRecords` check that a copied store behaves like its source.
describe('copying a store', () => {
  const inFolder = temporaryFolder()
  let source: Store
  let target: Store

  beforeEach(async () => {
    source = await openSqlite(inFolder('source.db'))
    target = await openSqlite(inFolder('target.db'))
    await fill(source)
    await Promise.all(Array.from({ length: PETS }, (_, n) => source.pets.insert(aPet(`Rex ${n}`))))
  })
  afterEach(async () => {
    await Promise.all([source.close(), target.close()])
  })

  const copy = (to = recordsOf(target)) => {
    const parts = {
      permissions: compiledPermissions(),
      copyableRecords: recordsOf(source),
      digest: systemDigest,
      clock: () => 0,
    }
    const { copyStore } = compose(parts as never, SYSTEM_TABLE, OPERATION_TABLE)
    return copyStore({ caller: OPERATOR, target: to })
  }
  const contents = async () =>
    [await contentOf(recordsOf(source)), await contentOf(recordsOf(target))] as const

  it('copies every record, leaves the source unchanged, and reports the number of records of each kind', async () => {
    const [before] = await contents()
    const { kind, records } = await copy()
    expect(kind).to.equal('copied')
    expect(await contents()).to.deep.equal([before, before])
    expect(new Map(Object.entries(records))).to.deep.equal(
      new Map([...before].map(([of, all]) => [of, all.length] as const)),
    )
  })

  for (const call of ['page', 'put', 'complete'] as const) {
    it(`continues after an error in any ${call} call without copying anything twice`, async () => {
      let errors = 0
      while (errors < 60 && (await isCut(copy(failingAfter(recordsOf(target), call, errors))))) errors += 1
      expect(errors).to.be.within(1, 59)
      const [given, copied] = await contents()
      expect(copied).to.deep.equal(given)
      expect((await copy()).kind).to.equal('unchanged')
    })
  }

  it('continues even if records were removed from the source between the two runs', async () => {
    expect(await isCut(copy(failingAfter(recordsOf(target), 'complete', 0)))).to.equal(true)
    const { id, email } = await accountOf(source, 1 as AccountId)
    await source.accounts.remove(id)
    await source.accounts.insert({ email, createdAt: 0 })
    await copy()
    const [given, copied] = await contents()
    expect(copied).to.deep.equal(given)
  })
})

class PowerCut extends Error {}

/** Whether a power failure interrupted the copy. */
async function isCut(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise
    return false
  } catch (error) {
    if (error instanceof PowerCut) return true
    throw error
  }
}

/** Makes the calls with this name fail after the first `good` calls. */
function failingAfter(
  records: CopyableRecords,
  name: 'page' | 'put' | 'complete',
  good: number,
): CopyableRecords {
  let calls = 0
  const failing = (...args: never[]) => {
    calls += 1
    if (calls > good) return Promise.reject(new PowerCut())
    return (records[name] as (...args: never[]) => Promise<unknown>)(...args)
  }
  return { ...records, [name]: failing }
}

const WRITTEN_TO = 'The source changed while it was being copied. Stop the service and run the copy again.'
const COMPLETED_BEFORE =
  'This copy was completed earlier, and the source and the target have since diverged. Copy into an empty store.'

type Kind = 'SQLite' | 'MongoDB'

for (const [from, to] of [
  ['SQLite', 'SQLite'],
  ['SQLite', 'MongoDB'],
  ['MongoDB', 'SQLite'],
] as const) {
  const describeCopy = (title: string, body: () => void) => {
    if (from === to) describe(title, body)
    else describeWith('mongodb', title, body)
  }
  describeCopy(`a copy from ${from} to ${to} beside another process that writes to the source`, () => {
    const inFolder = suiteFolder()
    const databases: FreshDatabase[] = []
    const stores: Store[] = []
    let writer: OtherProcess | undefined

    afterEach(async () => {
      await writer?.end()
      writer = undefined
      for (const store of stores.splice(0)) await store.close()
      for (const database of databases.splice(0)) await database.drop()
    })

    async function open(kind: Kind, name: string): Promise<{ store: Store; place: string }> {
      const database = kind === 'MongoDB' ? freshDatabase() : undefined
      if (database) databases.push(database)
      const place = database?.url ?? inFolder(`${name}.db`)
      const store = database ? await openMongo(place) : await openSqlite(place)
      stores.push(store)
      return { store, place }
    }

    it('detects a single write at any time, and the next run resumes the copy without reusing an ID', async () => {
      const source = await open(from, 'source')
      await fill(source.store)
      const other = (writer = await startProcess('open', source.place))
      const calls = await callsOfACopy(source.store, (await open(to, 'first')).store)
      expect(calls).to.be.greaterThan(30)
      for (const at of momentsOf(calls)) {
        const target = await open(to, `target ${String(at)}`)
        const written = recordsOf(target.store)
        const during = atCall(recordsOf(source.store), at, () => other.ask(`late${String(at)}`))
        const refusal = await refusalOf(copierOf(during)({ caller: OPERATOR, target: written }))
        expect([at, refusal.code, refusal.messages[0]?.message]).to.deep.equal([at, 'stale', WRITTEN_TO])
        const again = await copierOf(recordsOf(source.store))({ caller: OPERATOR, target: written })
        expect(again.kind).to.equal('copied')
        expect(await contentOf(written)).to.deep.equal(await contentOf(recordsOf(source.store)))
      }
      const last = stores.at(-1) as Store
      const ids = (await source.store.accounts.page(undefined, 1_000)).map(({ id }) => id)
      expect((await addAccount(last, 'next')).id).to.be.greaterThan(Math.max(...ids))
    })

    it('while comparing a complete copy, detects a write to a part of the source that has already been compared', async () => {
      const source = await open(from, 'compared source')
      const target = await open(to, 'compared target')
      await fill(source.store)
      await callsOfACopy(source.store, target.store)
      const calls = await callsOfACopy(source.store, target.store)
      const late = atCall(recordsOf(source.store), calls - 2, () => source.store.roles.insert(aRole('late')))
      const refusal = await refusalOf(copierOf(late)({ caller: OPERATOR, target: recordsOf(target.store) }))
      expect([refusal.code, refusal.messages[0]?.message]).to.deep.equal(['conflict', COMPLETED_BEFORE])
    })
  })
}

/** Selects every fourth read of the source, and the last two reads. */
function momentsOf(calls: number): number[] {
  const step = 4
  const some = Array.from({ length: Math.floor(calls / step) }, (_, index) => index * step + 2)
  return [...some.filter((at) => at < calls - 2), calls - 2, calls - 1]
}

function copierOf(source: CopyableRecords) {
  return copyStore.factory({ authorize: authorizeByDefault, source, digest: systemDigest })
}

/** Counts the reads of the source during a copy, including the first read of the change token. */
async function callsOfACopy(source: Store, target: Store): Promise<number> {
  let calls = 0
  const counting = beforeEachCall(recordsOf(source), () => {
    calls += 1
    return Promise.resolve()
  })
  await copierOf(counting)({ caller: OPERATOR, target: recordsOf(target) })
  return calls
}

/**
 * Runs `work` before the call with this number, counted from 0. A write before the copy's first two calls cannot
 * be detected.
 */
function atCall(records: CopyableRecords, at: number, work: () => Promise<unknown>): CopyableRecords {
  let calls = 0
  return beforeEachCall(records, async () => {
    calls += 1
    if (calls - 1 === at) await work()
  })
}

function beforeEachCall(records: CopyableRecords, work: () => Promise<void>): CopyableRecords {
  const entries = Object.entries(records).map(([name, call]: [string, unknown]) => [
    name,
    async (...args: never[]) => {
      await work()
      return await (call as (...args: never[]) => Promise<unknown>)(...args)
    },
  ])
  return Object.fromEntries(entries) as CopyableRecords
}
