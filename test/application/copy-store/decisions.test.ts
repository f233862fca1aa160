import { expect } from 'chai'
import { systemDigest } from '../../../src/adapters/system/index.js'
import { copyStore, type CopyProgress } from '../../../src/application/copy-store.js'
import type { Retrying } from '../../../src/application/retrying.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { unavailable } from '../../../src/domain/refusal.js'
import type { CopyableRecords } from '../../../src/ports/copyable-records.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { retrying, SLOW } from '../../support/watched-store.js'
import { countOf, fakedRecords, KINDS, rowsOf, type FakedRecords } from './faked-records.js'

const PAGE = 200
const STOPPED = 'stale | Conflict: Stopped. Run the same copy again to continue.'
const WRITTEN_TO =
  'stale | Conflict: The source changed while it was being copied. Stop the service and run the copy again.'
const COMPLETED_BEFORE =
  'conflict | Conflict: This copy was completed earlier, and the source and the target have since diverged. Copy into an empty store.'
const differing = (how: string) =>
  `stale | Conflict: Source and target differ in records of the kind "pet" (${how}): another program has written to the target, or the target cannot store a value of the source. Stop the service and run the copy again.`

const FAULT = new Error('the power is gone')
const failing = () => Promise.reject(FAULT)
/** Returns a different token for each call. */
const writtenTo = (): Partial<CopyableRecords> => {
  let writes = 0
  return { changeToken: () => Promise.resolve(String((writes += 1))) }
}

type CopyChoices = {
  onProgress?: (progress: CopyProgress) => void
  isStopped?: () => boolean
  retrying?: Retrying
}
const copy = async (source: FakedRecords, target: FakedRecords, given: CopyChoices = {}) =>
  await copyStore.factory({ authorize: authorizeByDefault, source: source.records, digest: systemDigest })({
    caller: OPERATOR,
    target: target.records,
    ...given,
  })
const outcomeOf = async (promise: Promise<unknown>) => await promise.catch((error: unknown) => error)

describe('the progress of a store copy', () => {
  const progressOf = async (source: FakedRecords, target: FakedRecords) => {
    const seen: (readonly number[])[] = []
    await copy(source, target, { onProgress: ({ done, total }) => seen.push([done, total]) })
    return seen.filter(([done], index) => done !== seen[index - 1]?.[0])
  }

  it('counts each record twice, once for the copy and once for the comparison, and is reported from the first page', async () => {
    expect(await progressOf(fakedRecords({ rows: rowsOf(3) }), fakedRecords())).to.deep.equal([
      [3, 6],
      [6, 6],
    ])
  })

  it('counts each record once if the copy is already complete', async () => {
    const target = fakedRecords({ rows: rowsOf(3), claim: 'complete' })
    expect(await progressOf(fakedRecords({ rows: rowsOf(3) }), target)).to.deep.equal([[3, 3]])
  })
})

describe('the source of a store copy', () => {
  it('is checked for writes at the start, after every forty pages and at the end', async () => {
    for (const [pages, looks] of [
      [1, 2],
      [40, 4],
    ] as const) {
      const source = fakedRecords({ rows: rowsOf(pages * PAGE - 1) })
      await copy(source, fakedRecords())
      expect(countOf(source, 'page')).to.equal(2 * (KINDS - 1 + pages))
      expect(countOf(source, 'changeToken')).to.equal(looks)
    }
  })

  it('is reported as the cause of a difference if the source was changed during the copy', async () => {
    const lossy = fakedRecords({}, { put: () => Promise.resolve('put') })
    const source = { rows: rowsOf(3) }
    expect(await wordsOf(copy(fakedRecords(source, writtenTo()), lossy))).to.equal(WRITTEN_TO)
    const contradicted = fakedRecords({}, { put: () => Promise.resolve('contradicted') })
    expect(await wordsOf(copy(fakedRecords(source, writtenTo()), contradicted))).to.equal(WRITTEN_TO)
  })

  it('is not reported as the cause of an error or a stop', async () => {
    const source = () => fakedRecords({ rows: rowsOf(3) }, writtenTo())
    expect(await outcomeOf(copy(source(), fakedRecords({}, { put: failing })))).to.equal(FAULT)
    const stopped = copy(source(), fakedRecords(), { isStopped: () => true })
    expect(await wordsOf(stopped)).to.equal(STOPPED)
  })
})

describe('a store copy into a new target', () => {
  it('is refused with a description of the difference, without removing anything', async () => {
    type Rows = ReturnType<typeof rowsOf>
    const storing = (change: (rows: Rows) => Rows) => {
      const rows = rowsOf(0)
      const put = (_: unknown, given: unknown) =>
        Promise.resolve((rows.push(...change(given as Rows)), 'put'))
      return fakedRecords({ rows }, { put } as Partial<CopyableRecords>)
    }
    const forgetful = storing((rows) => rows.slice(1))
    const changing = storing((rows) => rows.map((row) => ({ ...row, name: 'changed' })))
    for (const [target, how] of [
      [forgetful, '3 here, 2 there'],
      [changing, 'their content'],
    ] as const)
      expect(await wordsOf(copy(fakedRecords({ rows: rowsOf(3) }), target))).to.equal(differing(how))
    expect(forgetful.rows).to.deep.equal(rowsOf(2, 1))
    const contradicting = fakedRecords({}, { put: () => Promise.resolve('contradicted') })
    const contradicted = copy(fakedRecords({ rows: rowsOf(3) }), contradicting)
    expect(await wordsOf(contradicted)).to.equal(differing('they contradict each other'))
    for (const target of [forgetful, changing, contradicting]) expect(countOf(target, 'remove')).to.equal(0)
  })

  it('is refused if the target contains data, with a message about no particular field', async () => {
    for (const [claim, words] of [
      ['occupied', 'conflict | Conflict: The target contains other data. Copy into an empty store.'],
      ['same', 'conflict | Conflict: Source and target are the same store.'],
    ] as const)
      expect(await wordsOf(copy(fakedRecords(), fakedRecords({ claim })))).to.equal(words)
    const { messages } = await refusalOf(copy(fakedRecords(), fakedRecords({ claim: 'same' })))
    expect(messages[0]?.field).to.equal('')
  })
})

describe('a resumed store copy', () => {
  const resumed = (rows = rowsOf(0), change: Partial<CopyableRecords> = {}) =>
    fakedRecords({ rows, claim: 'resumed' }, change)

  it('continues at the last existing page, and does not write earlier records again', async () => {
    const put: number[] = []
    const source = fakedRecords({ rows: rowsOf(4 * PAGE) })
    const target = resumed(rowsOf(2 * PAGE + 7))
    const noting: CopyableRecords = {
      ...target.records,
      put: async (kind, records) => {
        put.push(...records.map((record) => (record as unknown as { id: number }).id))
        return await target.records.put(kind, records)
      },
    }
    await copy(source, { ...target, records: noting })
    expect([put[0], put.length]).to.deep.equal([2 * PAGE, 2 * PAGE])
    expect(target.rows).to.deep.equal(source.rows)
  })

  it('removes records that differ and copies everything again', async () => {
    const target = resumed(rowsOf(3, 100))
    const source = fakedRecords({ rows: rowsOf(5) })
    expect((await copy(source, target)).kind).to.equal('copied')
    expect(target.rows).to.deep.equal(source.rows)
  })

  it('removes nothing after an error, a refusal by the store, a stop, or a write to the source', async () => {
    const away = unavailable('away')
    const rows = { rows: rowsOf(5) }
    const faulty = resumed(rowsOf(3, 100), { put: failing })
    expect(await outcomeOf(copy(fakedRecords(rows), faulty))).to.equal(FAULT)
    const absent = resumed(rowsOf(3, 100), { put: () => Promise.reject(away) })
    expect(await outcomeOf(copy(fakedRecords(rows), absent))).to.equal(away)
    const stopped = resumed(rowsOf(3, 100))
    const stopping = copy(fakedRecords(rows), stopped, { isStopped: () => true })
    expect(await wordsOf(stopping)).to.equal(STOPPED)
    const late = resumed(rowsOf(3, 100))
    expect(await wordsOf(copy(fakedRecords(rows, writtenTo()), late))).to.equal(WRITTEN_TO)
    for (const target of [faulty, absent, stopped, late]) expect(countOf(target, 'remove')).to.equal(0)
  })
})

describe('a completed store copy', () => {
  const complete = (rows = rowsOf(3), change: Partial<CopyableRecords> = {}) =>
    fakedRecords({ rows, claim: 'complete' }, change)

  it('is refused if the stores differ or change during the comparison', async () => {
    for (const [source, target] of [
      [fakedRecords({ rows: rowsOf(4) }), complete()],
      [fakedRecords({ rows: rowsOf(3) }, writtenTo()), complete()],
    ] as const)
      expect(await wordsOf(copy(source, target))).to.equal(COMPLETED_BEFORE)
  })
})

describe('a slow store copy', () => {
  /** Makes every second call with this name fail. */
  const everyOther = (
    of: FakedRecords,
    name: 'page' | 'count' | 'claim' | 'complete' | 'changeToken' | 'identity',
  ) => {
    let calls = 0
    const given = of.records as unknown as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>
    const call = async (...args: unknown[]) => {
      calls += 1
      if (calls % 2 === 1) throw SLOW
      return await given[name]!(...args)
    }
    return { ...of, records: { ...of.records, [name]: call } }
  }

  for (const name of ['page', 'count', 'claim', 'complete', 'changeToken', 'identity'] as const)
    it(`completes even if every second ${name} call times out in both the source and the target`, async () => {
      const source = everyOther(fakedRecords({ rows: rowsOf(2 * PAGE + 1) }), name)
      const target = everyOther(fakedRecords(), name)
      expect(await copy(source, target, { retrying })).to.have.nested.property('records.pet', 2 * PAGE + 1)
      expect(target.rows).to.deep.equal(source.rows)
    })

  it('halves a page that takes too long, and repeats a call only if the page has just one record', async () => {
    const target = fakedRecords()
    const sizes: number[] = []
    const put: CopyableRecords['put'] = async (kind, page) => {
      sizes.push(page.length)
      if (sizes.filter((size) => size === 1).length < 2) throw SLOW
      return await target.records.put(kind, page)
    }
    const source = fakedRecords({ rows: rowsOf(PAGE) })
    await copy(source, { ...target, records: { ...target.records, put } }, { retrying })
    expect(sizes.slice(0, 10)).to.deep.equal([200, 100, 50, 25, 13, 7, 4, 2, 1, 1])
    expect(target.rows).to.deep.equal(source.rows)
  })

  it('completes even if a call that timed out is still running and conflicts with the next call', async () => {
    const target = fakedRecords()
    const sizes: number[] = []
    const put: CopyableRecords['put'] = async (kind, page) => {
      sizes.push(page.length)
      if (sizes.length === 1) throw SLOW
      return sizes.length === 2 ? 'contradicted' : await target.records.put(kind, page)
    }
    const source = fakedRecords({ rows: rowsOf(10) })
    await copy(source, { ...target, records: { ...target.records, put } }, { retrying })
    expect(sizes).to.deep.equal([10, 5, 5, 5])
    expect(target.rows).to.deep.equal(source.rows)
  })

  it('is refused if records permanently conflict with the target', async () => {
    let isFirst = true
    const put = () => {
      if (!isFirst) return Promise.resolve('contradicted' as const)
      isFirst = false
      return Promise.reject(SLOW)
    }
    const source = fakedRecords({ rows: rowsOf(10) })
    const copied = copy(source, fakedRecords({}, { put }), { retrying })
    expect(await wordsOf(copied)).to.equal(differing('they contradict each other'))
  })
})
