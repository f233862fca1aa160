import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { systemDigest } from '../../src/adapters/system/index.js'
import { copyStore, type CopyProgress } from '../../src/application/copy-store.js'
import {
  aLoginRotation,
  aMailJob,
  anAuditRecord,
  aNewAccount,
  anIdempotency,
  aPet,
  aProject,
  aSession,
  NOW,
  pageLimitOf,
  SECOND,
  sessionIdOf,
} from '../../src/contracts/samples.js'
import { enrol, giveFactor, giveRole, logIn } from '../../src/contracts/arrangements.js'
import { OPERATOR, type Caller } from '../../src/domain/access/caller.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import { RECORD_KINDS, type RecordKind, type CopyableRecords } from '../../src/ports/copyable-records.js'
import type { Store } from '../../src/ports/store.js'
import { OUTSIDERS } from '../support/callers.js'
import { authorizeByDefault } from '../support/proofs.js'
import { refusalOf } from '../support/refusal-of.js'
import { temporaryFolder } from '../support/temporary-folder.js'

type KeptStore = Store & { readonly records: CopyableRecords }

/** So many records the copy reads at once. */
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

  type Ask = {
    to?: CopyableRecords
    from?: CopyableRecords
    caller?: Caller
    onProgress?: (one: CopyProgress) => void
  }
  const copy = async ({
    to = target.records,
    from = source.records,
    caller = OPERATOR,
    ...rest
  }: Ask = {}) => {
    return await copyStore.factory({ authorize: authorizeByDefault, source: from, digest: systemDigest })({
      caller,
      target: to,
      ...rest,
    })
  }
  const refusedWith = async (ask: Ask = {}) => {
    const { code, messages } = await refusalOf(copy(ask))
    return [code, messages[0]?.message]
  }

  it('takes every record along, whatever fills more than a page, and says how many of each kind', async () => {
    await fill(source)
    const { kind, records: kinds } = await copy()
    expect(kind).to.equal('copied')
    expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
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

  it('copies an empty store', async () => {
    expect(Object.values((await copy()).records)).to.deep.equal(RECORD_KINDS.map(() => 0))
  })

  it('goes on giving ids where the source was, also after what was deleted there', async () => {
    const ann = await enrol(source, 'ann')
    const bob = await enrol(source, 'bob')
    await source.accounts.remove(bob.id)
    await copy()
    const carol = await enrol(target, 'carol')
    expect([ann.id, carol.id]).to.deep.equal([1, 3])
  })

  it('brings no pet back that was removed, gives its id to no other, and keeps its idempotency key', async () => {
    const idempotency = anIdempotency()
    await source.pets.insert(aPet('Rex'))
    const newest = await source.pets.insert(aPet('Mia'), idempotency)
    await source.pets.remove(2 as PetId)
    expect((await copy()).records).to.include({ pet: 1, idempotencyKey: 1 })
    expect(await target.pets.find(2 as PetId)).to.equal(undefined)
    expect(await target.pets.insert(aPet('Mia'), idempotency)).to.deep.equal({ ...newest, kind: 'repeated' })
    expect(await target.pets.insert(aPet('Ada'))).to.deep.equal({ kind: 'inserted', id: 3 })
  })

  it('keeps whose each project is, and when it was closed', async () => {
    const ann = await enrol(source, 'ann')
    const [open, other] = [
      await source.projects.insert(aProject('House'), ann.id, NOW),
      await source.projects.insert(aProject('Barn'), ann.id, NOW),
    ]
    const closed = await source.projects.close(other.id, ann.id, NOW + SECOND)
    await copy()
    const { projects } = await target.projects.page(ann.id, undefined, pageLimitOf(10))
    expect(projects).to.deep.equal([open, closed])
  })

  it('tells how far it has come, from the first page to the last', async () => {
    await fill(source)
    const seen: CopyProgress[] = []
    await copy({ onProgress: (one) => seen.push(one) })
    const total = 2 * (1 + 2 + 1 + 3 + PETS + 2 + 1 + 2)
    expect(seen.at(-1)).to.deep.equal({ done: total, total })
    expect(seen.every((one, index) => one.done >= (seen[index - 1]?.done ?? 0))).to.equal(true)
  })

  for (const call of ['page', 'put', 'complete'] as const) {
    it(`goes on after a fault at any ${call}, and doubles nothing`, async () => {
      await fill(source)
      let errors = 0
      for (let good = 0; good < 60; good += 1) {
        const failed = await isCut(copy({ to: failingAfter(target.records, call, good) }))
        if (!failed) break
        errors += 1
      }
      expect(errors).to.be.greaterThan(0)
      expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
      expect((await copy()).kind).to.equal('unchanged')
    })
  }

  it('stops between two pages when it is told to, and goes on later', async () => {
    await fill(source)
    let asked = 0
    const stopping = copyStore.factory({
      authorize: authorizeByDefault,
      source: source.records,
      digest: systemDigest,
    })({
      caller: OPERATOR,
      target: target.records,
      isStopped: () => (asked += 1) > 4,
    })
    expect((await refusalOf(stopping)).messages[0]?.message).to.contain('Run the same copy again')
    await copy()
    expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
  })

  it('goes on although the source lost records between the two runs', async () => {
    const { session } = await fill(source)
    expect(await isCut(copy({ to: failingAfter(target.records, 'complete', 0) }))).to.equal(true)
    await source.sessions.end(session.id)
    await source.accounts.remove(session.accountId)
    await source.accounts.insert(aNewAccount('ann'))
    await copy()
    expect(await contentOf(target.records)).to.deep.equal(await contentOf(source.records))
  })

  it('compares only where the copy is complete, for as long as both are equal', async () => {
    await fill(source)
    const { records } = await copy()
    const reading: CopyableRecords = { ...target.records, put: () => Promise.reject(new PowerCut()) }
    expect(await copy({ to: reading })).to.deep.equal({ kind: 'unchanged', records })
    await enrol(target, 'late')
    const before = await contentOf(target.records)
    const [code, message] = await refusedWith()
    expect([code, message]).to.deep.equal([
      'conflict',
      'This copy was completed before, and source and target have become different since. Copy into an empty store.',
    ])
    expect(await contentOf(target.records)).to.deep.equal(before)
  })

  it('finds that the source was written to while it was copied, and says what to do', async () => {
    await fill(source)
    const writing: CopyableRecords = {
      ...target.records,
      put: async (kind, records) => {
        const answer = await target.records.put(kind, records)
        if (kind === 'counter') await enrol(source, 'late')
        return answer
      },
    }
    const [code, message] = await refusedWith({ to: writing })
    expect(code).to.equal('stale')
    expect(message).to.contain('Stop the service')
  })

  it('ends although something writes faster than it reads', async () => {
    let writes = 0
    const endless: CopyableRecords = {
      ...source.records,
      changeToken: () => Promise.resolve(String((writes += 1))),
      page: async (kind, after, limit) => {
        if (kind !== 'revocation') return await source.records.page(kind, after, limit)
        const first = (writes += limit)
        const ids = Array.from({ length: limit }, (_, index) => String(first + index).padStart(9, '0'))
        return ids.map((sessionId) => ({ sessionId, until: NOW })) as never
      },
    }
    const [code, message] = await refusedWith({ from: endless })
    expect([code, message]).to.deep.equal([
      'stale',
      'The source was written to while it was copied. Stop the service and run the copy again.',
    ])
  })

  it('says the same where what was written meanwhile contradicts what was copied before', async () => {
    const ann = await enrol(source, 'ann')
    await Promise.all(Array.from({ length: PAGE }, (_, n) => enrol(source, `user ${n}`)))
    const writing: CopyableRecords = {
      ...source.records,
      page: async (kind, after, limit) => {
        const page = await source.records.page(kind, after, limit)
        if (kind === 'account' && after === undefined) {
          await source.accounts.remove(ann.id)
          await enrol(source, 'ann')
        }
        return page
      },
    }
    const [code, message] = await refusedWith({ from: writing })
    expect(code).to.equal('stale')
    expect(message).to.contain('written to').and.to.contain('Stop the service')
  })

  it('finds what is lost or changed on its way', async () => {
    await fill(source)
    const careless: CopyableRecords = {
      ...target.records,
      put: async (kind, records) =>
        await target.records.put(
          kind,
          records.map((one) => ('name' in one && one.name === 'Rex 77' ? { ...one, name: 'Max' } : one)),
        ),
    }
    expect((await refusedWith({ to: careless }))[0]).to.equal('stale')
    const other = await open('other.db')
    const forgetful: CopyableRecords = {
      ...other.records,
      put: async (kind, records) => await other.records.put(kind, records.slice(1)),
    }
    expect((await refusedWith({ to: forgetful }))[0]).to.equal('stale')
    await other.close()
  })

  it('leaves the source as it was', async () => {
    await fill(source)
    const before = await contentOf(source.records)
    await copy()
    expect(await contentOf(source.records)).to.deep.equal(before)
  })

  it('refuses a target with other data, another copy, and the source itself', async () => {
    await enrol(source)
    const used = await open('used.db')
    await enrol(used, 'an account')
    const before = await contentOf(used.records)
    const refused = [await refusedWith({ to: used.records }), await refusedWith({ to: source.records })]
    expect(await contentOf(used.records)).to.deep.equal(before)
    await copy()
    const third = await open('third.db')
    refused.push(await refusedWith({ from: third.records }))
    await Promise.all([used.close(), third.close()])
    expect(refused).to.deep.equal([
      ['conflict', 'The target holds other data. Copy into an empty store.'],
      ['conflict', 'Source and target are the same store.'],
      ['conflict', 'The target holds other data. Copy into an empty store.'],
    ])
  })

  it('is refused without the permission, and then touches nothing', async () => {
    await enrol(source)
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(copy({ caller }))).code).to.equal(code)
    }
    await enrol(target, 'first')
    expect((await target.accounts.page(undefined, 10)).length).to.equal(1)
    expect(await target.records.claim('another')).to.equal('occupied')
  })
})

class PowerCut extends Error {}

/** True where it ended with a power cut, false where it came to its end. */
async function isCut(promise: Promise<unknown>): Promise<boolean> {
  try {
    await promise
    return false
  } catch (error) {
    if (error instanceof PowerCut) return true
    throw error
  }
}

/** The store goes away at one kind of call, after so many good ones. */
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
  return { session, at: NOW + SECOND }
}

async function contentOf(records: CopyableRecords): Promise<Map<RecordKind, readonly unknown[]>> {
  const content = new Map<RecordKind, readonly unknown[]>()
  for (const kind of RECORD_KINDS) content.set(kind, await records.page(kind, undefined, 10_000))
  return content
}
