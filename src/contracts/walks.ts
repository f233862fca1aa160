import assert from 'node:assert/strict'
import type { Store } from '../ports/store.js'
import { race } from './barrier.js'
import { lawOf, type Law, type LawPort } from './law.js'

/** How ids of a port are given out and walked over. */
export type Walked = {
  /** Resolves with the id once the insert is acknowledged; `name` is new. */
  insert(name: string): Promise<number>
  /** The next page, and where to go on: `undefined` after the last one. */
  page(
    after: number | undefined,
    limit: number,
  ): Promise<{ readonly ids: readonly number[]; readonly next: number | undefined }>
}

const EACH = 4
const LIMIT = 3

type Inserted = { readonly id: number; readonly begun: number; readonly acknowledged: number }

/** Laws of IDs and walks of a port beside concurrent inserts; `thing` names a record of the port. */
export function walkLaws(port: LawPort, thing: string, walkedOf: (store: Store) => Walked): readonly Law[] {
  const law = lawOf(port)
  return [
    law(`of ${thing}s made at once, one that was begun after another was acknowledged has the greater id`)
      .protects(`A walk over the pages misses no ${thing} that was there when it began.`)
      .check((store) => assertIdsInOrder(walkedOf(store))),
    law(`walks beside inserts show every ${thing} that was acknowledged before, ascending and once`)
      .protects('A list that many add to can be read to its end.')
      .check((store) => assertWalksBesideInserts(walkedOf(store))),
  ]
}

/** 16 callers insert concurrently: an insert that begins after the end of another insert gets a greater ID. */
async function assertIdsInOrder({ insert }: Pick<Walked, 'insert'>): Promise<void> {
  let moment = 0
  const inserted = await race(async (caller) => {
    const own: Inserted[] = []
    for (let number = 1; number <= EACH; number += 1) {
      const begun = (moment += 1)
      const id = await insert(`${caller} ${number}`)
      own.push({ id, begun, acknowledged: (moment += 1) })
    }
    return own
  })
  const all = inserted.flat()
  for (const later of all) {
    for (const earlier of all.filter(({ acknowledged }) => acknowledged < later.begun))
      assert.ok(earlier.id < later.id, `${later.id} was begun after ${earlier.id} was acknowledged`)
  }
}

/** A walk beside inserts shows every record that was inserted before the walk began, ascending and once. */
async function assertWalksBesideInserts(walked: Walked): Promise<void> {
  const acknowledged: number[] = []
  await race(async (caller) => {
    for (let number = 1; number <= EACH; number += 1) {
      if (caller % 2 === 0) acknowledged.push(await walked.insert(`${caller} ${number}`))
      else await assertWalk(walked, [...acknowledged])
    }
  })
  await assertWalk(walked, acknowledged)
}

async function assertWalk({ page }: Pick<Walked, 'page'>, older: readonly number[]): Promise<void> {
  const seen: number[] = []
  for (let after: number | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { ids, next } = await page(after, LIMIT)
    seen.push(...ids)
    after = next
  }
  assertAscending(seen)
  const missing = older.filter((id) => !seen.includes(id))
  assert.deepEqual(missing, [], 'none left out that was there before')
}

/** Each number is greater than the one before it. */
export function assertAscending(numbers: readonly number[]): void {
  const ascending = [...new Set(numbers)].sort((left, right) => left - right)
  assert.deepEqual(numbers, ascending, 'ascending, none twice')
}
