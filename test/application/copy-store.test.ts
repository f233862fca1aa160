import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { copyStore } from '../../src/application/copy-store.js'
import {
  aLoginRotation,
  aMailJob,
  anAuditRecord,
  aNewAccount,
  anIdempotency,
  aPet,
  aSession,
  NOW,
  SECOND,
  sessionIdOf,
} from '../../src/contracts/samples.js'
import { enrol, giveFactor, giveRole, logIn } from '../../src/contracts/arrangements.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import { RECORD_KINDS, type RecordKind, type CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import { authorizeByDefault } from '../support/proofs.js'
import { temporaryFolder } from '../support/temporary-folder.js'

type KeptStore = Store & { readonly records: CopyableRecords }

/** The page size of a copy. */
const PAGE = 200
const PETS = 4 * PAGE + 100

describe('copy the store', () => {
  const inFolder = temporaryFolder()
  let source: KeptStore
  let target: KeptStore

  beforeEach(async () => {
    source = await open('source.db')
    target = await open('target.db')
  })
  afterEach(async () => {
    await Promise.all([source.close(), target.close()])
  })

  const open = async (name: string): Promise<KeptStore> => {
    const { copyableRecords: records, ...store } = await openSqlite(inFolder(name))
    if (!records) throw new Error('a file can be copied')
    return { ...store, records }
  }

  const copy = (to = target.records) => {
    const parts = { authorize: authorizeByDefault, source: source.records, digest: systemDigest }
    return copyStore.factory(parts)({ caller: OPERATOR, target: to })
  }

  it('copies every record, leaves the source as it was, and reports the number of each kind', async () => {
    await fill(source)
    const before = await contentOf(source.records)
    const { kind, records: kinds } = await copy()
    expect(kind).to.equal('copied')
    expect(await contentOf(target.records)).to.deep.equal(before)
    expect(await contentOf(source.records)).to.deep.equal(before)
    expect(kinds).to.deep.equal({
      role: 1,
      account: 2,
      session: 1,
      revocation: 3,
      pet: PETS,
      idempotencyKey: 0,
      apiKey: 0,
      project: 0,
      mailJob: 2,
      auditRecord: 1,
      counter: 2,
    })
  })

  it('keeps the ID and the idempotency key of a removed pet', async () => {
    const idempotency = anIdempotency()
    await source.pets.insert(aPet('Rex'))
    const newest = await source.pets.insert(aPet('Mia'), idempotency)
    await source.pets.remove(2 as PetId)
    expect((await copy()).records).to.include({ pet: 1, idempotencyKey: 1 })
    expect(await target.pets.find(2 as PetId)).to.equal(undefined)
    expect(await target.pets.insert(aPet('Mia'), idempotency)).to.deep.equal({ ...newest, kind: 'repeated' })
    expect(await target.pets.insert(aPet('Ada'))).to.deep.equal({ kind: 'inserted', id: 3 })
  })

  for (const call of ['page', 'put', 'complete'] as const) {
    it(`continues after an error at any ${call}, and copies nothing twice`, async () => {
      await fill(source)
      let errors = 0
      for (let good = 0; good < 60; good += 1) {
        const failed = await isCut(copy(failingAfter(target.records, call, good)))
        if (!failed) break
        errors += 1
      }
      expect(errors).to.be.greaterThan(0)
      expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
      expect((await copy()).kind).to.equal('unchanged')
    })
  }

  it('continues although the source lost records between the two runs', async () => {
    const session = await fill(source)
    expect(await isCut(copy(failingAfter(target.records, 'complete', 0)))).to.equal(true)
    await source.sessions.end(session.id)
    await source.accounts.remove(session.accountId)
    await source.accounts.insert(aNewAccount('ann'))
    await copy()
    expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
  })

  it('only compares if the copy is complete', async () => {
    await fill(source)
    const { records } = await copy()
    const reading: CopyableRecords = { ...target.records, put: () => Promise.reject(new PowerCut()) }
    expect(await copy(reading)).to.deep.equal({ kind: 'unchanged', records })
  })
})

class PowerCut extends Error {}

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

async function fill(store: Store) {
  const ann = await enrol(store, 'ann')
  await enrol(store, 'bob')
  await giveRole(store, ann, 'editor')
  await giveFactor(store, ann)
  const session = await logIn(store, ann, 'login', aSession(ann, 'login'))
  for (const label of ['one', 'two']) await store.revocations.revoke(sessionIdOf(label), NOW + SECOND)
  await store.revocations.rotate(aLoginRotation({ sessionId: sessionIdOf('refreshed') }))
  for (const job of [aMailJob('0'), aMailJob('1')]) await store.mailQueue.enqueue(job, 10)
  await store.audit.append(anAuditRecord('0'))
  await Promise.all(Array.from({ length: PETS }, (_, n) => store.pets.insert(aPet(`Rex ${n}`))))
  return session
}

async function contentOf(records: CopyableRecords): Promise<Map<RecordKind, readonly unknown[]>> {
  const content = new Map<RecordKind, readonly unknown[]>()
  for (const kind of RECORD_KINDS) content.set(kind, await records.page(kind, undefined, 10_000))
  return content
}
