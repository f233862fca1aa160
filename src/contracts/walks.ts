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

/** What holds of ids and walks of a port though many insert at once; `thing` is one of what it keeps. */
export function walkLaws(port: LawPort, thing: string, walkedOf: (store: Store) => Walked): readonly Law[] {
  const law = lawOf(port)
  return [
    law(
      `of ${thing}s made at once, one that was begun after another was acknowledged has the greater id`,
      `A walk over the pages misses no ${thing} that was there when it began.`,
      (store) => assertIdsInOrder(walkedOf(store)),
    ),
    law(
      `walks beside inserts show every ${thing} that was acknowledged before, ascending and once`,
      'A list that many add to can be read to its end.',
      (store) => assertWalksBesideInserts(walkedOf(store)),
    ),
  ]
}

/** Of inserts by 16 callers at once, one that was begun after another was acknowledged has the greater id. */
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
    for (const earlier of all.filter(({ acknowledged }) => acknowledged < later.begun)) {
      assert.ok(earlier.id < later.id, `${later.id} was begun after ${earlier.id} was acknowledged`)
    }
  }
}

/** Walks beside inserts show what was acknowledged before they began, ascending and each once. */
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
  const ascending = [...new Set(seen)].sort((left, right) => left - right)
  assert.deepEqual(seen, ascending, 'ascending, none twice')
  assert.deepEqual(
    older.filter((id) => !seen.includes(id)),
    [],
    'none left out that was there before',
  )
}
