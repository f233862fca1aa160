import assert from 'node:assert/strict'
import type { Store } from '../ports/store.js'
import { race, lawOf, type Law, type LawPort } from './law.js'

type Page<Id> = { readonly ids: readonly Id[]; readonly next?: Id | undefined }

/** A port's calls for inserting a record and for reading a page of records. */
export type PagedPort = {
  /** Resolves with the ID of the record when the insert is acknowledged; `name` is unique. */
  readonly insert: (name: string) => Promise<number>
  /** Reads a page; `next` is absent on the last page. */
  readonly page: (after: number | undefined, limit: number) => Promise<Page<number>>
}

const EACH = 4
const LIMIT = 3

type InsertedRecord = { readonly id: number; readonly begun: number; readonly acknowledged: number }

/** Defines laws for the IDs and the pages of a port during concurrent inserts; `thing` is the name of a record in the law titles. */
export function walkLaws(
  port: LawPort,
  thing: string,
  walkedOf: (store: Store) => PagedPort,
): readonly Law[] {
  const law = lawOf(port)
  return [
    law(`every ${thing} has a unique ID, greater than the ID of any ${thing} whose insert completed earlier`)
      .protects(
        `An id identifies one ${thing}, and reading all pages misses no ${thing} that existed at the start.`,
      )
      .check((store) => assertIdsInOrder(walkedOf(store))),
    law(`pages that are read during inserts list every earlier ${thing} once, in ascending order`)
      .protects('A client can read a list to its end while many other clients add to it.')
      .check((store) => assertWalksBesideInserts(walkedOf(store))),
  ]
}

/** Inserts concurrently, and asserts that each ID is unique and greater than every ID that was returned before the insert started. */
async function assertIdsInOrder({ insert }: PagedPort): Promise<void> {
  let moment = 0
  const inserted = await race(async (caller) => {
    const own: InsertedRecord[] = []
    for (let number = 1; number <= EACH; number += 1) {
      const begun = (moment += 1)
      const id = await insert(`${caller} ${number}`)
      own.push({ id, begun, acknowledged: (moment += 1) })
    }
    return own
  })
  const all = inserted.flat()
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'every id is unique')
  for (const later of all) {
    for (const earlier of all.filter(({ acknowledged }) => acknowledged < later.begun))
      assert.ok(earlier.id < later.id, `${later.id} started after ${earlier.id} was acknowledged`)
  }
}

/** Asserts that pages read during inserts contain every previously inserted record exactly once, in ascending order. */
async function assertWalksBesideInserts(walked: PagedPort): Promise<void> {
  const acknowledged: number[] = []
  await race(async (caller) => {
    for (let number = 1; number <= EACH; number += 1) {
      if (caller % 2 === 0) acknowledged.push(await walked.insert(`${caller} ${number}`))
      else await assertWalk(walked, [...acknowledged])
    }
  })
  await assertWalk(walked, acknowledged)
}

async function assertWalk({ page }: PagedPort, older: readonly number[]): Promise<void> {
  assertShowsAll(await walk((after) => page(after, LIMIT)), older)
}

export async function walk<Id>(
  pageAfter: (after: Id | undefined, pages: number) => Promise<Page<Id>>,
): Promise<readonly Id[]> {
  const seen: Id[] = []
  let after: Id | undefined
  for (let pages = 1; pages <= 200; pages += 1) {
    const { ids, next } = await pageAfter(after, pages)
    seen.push(...ids)
    if (next === undefined) return seen
    after = next
  }
  return assert.fail('the last page is reached')
}

function assertShowsAll(seen: readonly number[], older: readonly number[]): void {
  assertAscending(seen)
  const missing = older.filter((id) => !seen.includes(id))
  assert.deepEqual(missing, [], 'no older ID is missing')
}

export function assertAscending(numbers: readonly number[]): void {
  const ascending = [...new Set(numbers)].sort((left, right) => left - right)
  assert.deepEqual(numbers, ascending, 'the numbers ascend without repetition')
}
