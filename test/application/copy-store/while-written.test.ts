import { expect } from 'chai'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import { copyStore } from '../../../src/application/copy-store.js'
import { addAccount } from '../../../src/contracts/arrangements.js'
import { aRole } from '../../../src/contracts/samples.js'
import { contentOf, fill, recordsOf } from '../../../src/contracts/copyable-records/arrangements.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { CopyableRecords } from '../../../src/ports/copyable-records.js'
import type { Store } from '../../../src/ports/store.js'
import { startProcess, type OtherProcess } from '../../support/several-processes/other-process.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { refusalOf } from '../../support/refusal-of.js'
import { describeWith } from '../../support/required-tools.js'

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

    it('detects a write to a part of the source that has already been compared with a complete copy', async () => {
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
