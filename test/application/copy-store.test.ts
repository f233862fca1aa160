import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { accountOf } from '../../src/contracts/arrangements.js'
import { contentOf, fill, recordsOf } from '../../src/contracts/copyable-records/arrangements.js'
import { aPet } from '../../src/contracts/samples.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { compose } from '../../src/composition-root/container.js'
import { SYSTEM_TABLE } from '../../src/composition-root/infrastructure.js'
import { OPERATION_TABLE } from '../../src/application/wiring.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import { compiledPermissions } from '../support/permissions.js'
import { temporaryFolder } from '../support/temporary-folder.js'

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

  it('continues after an error in any write, and copies nothing twice', async () => {
    let errors = 0
    while (errors < 60 && (await isCut(copy(failingAfter(recordsOf(target), 'put', errors))))) errors += 1
    expect(errors).to.be.within(1, 59)
    const [given, copied] = await contents()
    expect(copied).to.deep.equal(given)
    expect((await copy()).kind).to.equal('unchanged')
  })

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
function failingAfter(records: CopyableRecords, name: 'put' | 'complete', good: number): CopyableRecords {
  let calls = 0
  const failing = (...args: never[]) => {
    calls += 1
    if (calls > good) return Promise.reject(new PowerCut())
    return (records[name] as (...args: never[]) => Promise<unknown>)(...args)
  }
  return { ...records, [name]: failing }
}
