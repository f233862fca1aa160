import { expect } from 'chai'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import { copyStore } from '../../../src/application/copy-store.js'
import { addAccount } from '../../../src/contracts/arrangements.js'
import { contentOf, fill, recordsOf } from '../../../src/contracts/copyable-records/arrangements.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { CopyableRecords } from '../../../src/ports/copyable-records.js'
import type { Store } from '../../../src/ports/store.js'
import { startProcess, type OtherProcess } from '../../support/several-processes/other-process.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { refusalOf } from '../../support/refusal-of.js'

const WRITTEN_TO = 'The source changed while it was being copied. Stop the service and run the copy again.'

// The law of the change token covers the other stores.
describe('a copy beside another process that writes to the source', () => {
  const inFolder = suiteFolder()
  const stores: Store[] = []
  let writer: OtherProcess | undefined
  afterEach(async () => {
    await writer?.end()
    for (const store of stores) await store.close()
  })

  async function open(name: string): Promise<Store> {
    const store = await openSqlite(inFolder(name))
    stores.push(store)
    return store
  }

  it('detects a single write at any time, and the next run resumes the copy without reusing an ID', async () => {
    const source = await open('source.db')
    await fill(source)
    const other = (writer = await startProcess('open', inFolder('source.db')))
    const calls = await callsOfACopy(source, await open('first.db'))
    expect(calls).to.be.greaterThan(30)
    for (const at of momentsOf(calls)) {
      const target = recordsOf(await open(`target ${String(at)}.db`))
      const during = atCall(recordsOf(source), at, () => other.ask(`late${String(at)}`))
      const refusal = await refusalOf(copierOf(during)({ caller: OPERATOR, target }))
      expect([at, refusal.code, refusal.messages[0]?.message]).to.deep.equal([at, 'stale', WRITTEN_TO])
      const again = await copierOf(recordsOf(source))({ caller: OPERATOR, target })
      expect(again.kind).to.equal('copied')
      expect(await contentOf(target)).to.deep.equal(await contentOf(recordsOf(source)))
    }
    const last = stores.at(-1) as Store
    const ids = (await source.accounts.page(undefined, 1_000)).map(({ id }) => id)
    expect((await addAccount(last, 'next')).id).to.be.greaterThan(Math.max(...ids))
  })
})

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
