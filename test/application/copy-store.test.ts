import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { createRetrying, type Retrying } from '../../src/application/retrying.js'
import { accountOf } from '../../src/contracts/arrangements.js'
import { contentOf, fill, recordsOf } from '../../src/contracts/copyable-records/arrangements.js'
import { aPet } from '../../src/contracts/samples.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { isRefusal, isTransient, transient } from '../../src/domain/refusal.js'
import { compose } from '../../src/composition-root/container.js'
import { SYSTEM_TABLE } from '../../src/composition-root/infrastructure.js'
import { OPERATION_TABLE } from '../../src/application/wiring.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { CopyableRecords, RecordKind } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import { compiledPermissions } from '../support/permissions.js'
import { temporaryFolder } from '../support/temporary-folder.js'

type CopyOptions = { readonly isStopped?: () => boolean; readonly retrying?: Retrying }

/** Five pages of a copy, of which the last is partial. */
const PETS = 4 * 200 + 100

// The laws of `CopyableRecords` show that a store works with copied records as before.
describe('copy the store', () => {
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

  const copy = (to = recordsOf(target), options: CopyOptions = {}) => {
    const parts = {
      permissions: compiledPermissions(),
      copyableRecords: recordsOf(source),
      digest: systemDigest,
    }
    const { copyStore } = compose(parts as never, SYSTEM_TABLE, OPERATION_TABLE)
    return copyStore({ caller: OPERATOR, target: to, ...options })
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

  it('can be stopped between the removal of two pages', async () => {
    expect(await isCut(copy(failingAfter(recordsOf(target), 'complete', 0)))).to.equal(true)
    await source.accounts.remove(1 as AccountId)
    const { records, pages } = withPages(recordsOf(target), 'remove')
    const stopped = await copy(records, { isStopped: () => pages.length > 0 }).catch(codeOf)
    expect([stopped, pages.length]).to.deep.equal(['stale', 1])
  })

  describe('with a slow target', () => {
    const again = () => {
      let failures = 0
      const retrying = createRetrying({
        answered: () => undefined,
        async waitAfter(error) {
          if (!isTransient(error)) throw error
          failures += 1
        },
      })
      return { retrying, failures: () => failures }
    }

    it('halves pages that take too long, and repeats a call only if the page has just one record', async () => {
      const { retrying, failures } = again()
      const { records, pages } = withPages(recordsOf(target), 'put', (earlier) =>
        earlier.includes(1) ? undefined : SLOW,
      )
      expect((await copy(records, { retrying })).kind).to.equal('copied')
      const [given, copied] = await contents()
      expect(copied).to.deep.equal(given)
      expect(failures()).to.equal(1)
      expect(pages.slice(0, pages.indexOf(1))).to.deep.equal([200, 100, 50, 25, 13, 7, 4, 2])
    })
  })
})

class PowerCut extends Error {}

const SLOW = transient('The store did not answer in time.')

const codeOf = (error: unknown) => isRefusal(error) && error.code

/** Records the lengths of the pages of pets in this call, which can fail. */
function withPages(
  records: CopyableRecords,
  name: 'put' | 'remove',
  failureOf: (earlier: readonly number[]) => Error | undefined = () => undefined,
): { records: CopyableRecords; pages: readonly number[] } {
  const pages: number[] = []
  const watched = async (kind: RecordKind, page: readonly never[]) => {
    const failure = kind === 'pet' ? failureOf(pages) : undefined
    if (kind === 'pet') pages.push(page.length)
    if (failure) throw failure
    return await (records[name] as (...args: readonly unknown[]) => Promise<never>)(kind, page)
  }
  return { records: { ...records, [name]: watched }, pages }
}

/** Whether it ended with a power cut. */
async function isCut(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise
    return false
  } catch (error) {
    if (error instanceof PowerCut) return true
    throw error
  }
}

/** The store fails at one kind of call, after `good` successful calls. */
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
