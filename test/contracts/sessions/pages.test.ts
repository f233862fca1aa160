import { expect } from 'chai'
import fc from 'fast-check'

import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { enrol, logIn } from '../../../src/contracts/arrangements.js'
import { NOW, SECOND } from '../../../src/contracts/samples.js'
import type { Session, SessionId } from '../../../src/domain/identity/session.js'
import type { SessionPosition } from '../../../src/ports/sessions.js'
import type { Store } from '../../../src/ports/store.js'
import { suiteFolder } from '../../support/temporary-folder.js'

const RUNS = 40
/** Logins of one account. */
const MOST = 12

/** A login: when, a number that its id begins with, and what became of it. */
type Login = { readonly second: number; readonly rank: number; readonly fate: 'active' | 'ended' | 'over' }

const logins = fc.uniqueArray(
  fc.record<Login>({
    second: fc.integer({ min: 0, max: 3 }),
    rank: fc.integer({ min: 0, max: 255 }),
    fate: fc.constantFrom('active', 'active', 'ended', 'over'),
  }),
  { selector: ({ rank }) => rank, maxLength: MOST },
)
const start = fc.option(fc.record({ second: fc.integer({ min: 0, max: 3 }), rank: fc.nat(255) }), {
  nil: undefined,
})

describe('pages of sessions', () => {
  const inFolder = suiteFolder()

  const stores: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
    ['memory', async () => createMemoryStore()],
    ['SQLite', () => openSqlite(inFolder('pages.db'))],
  ]
  for (const [name, open] of stores) {
    it(`are those of a sorted list, from wherever they begin (${name})`, async () => {
      const store = await open()
      let run = 0
      const property = fc.asyncProperty(logins, start, fc.integer({ min: 1, max: 5 }), async (...drawn) => {
        run += 1
        await assertAsSorted(store, `run-${run}`, ...drawn)
      })
      try {
        await fc.assert(property, { numRuns: RUNS })
      } finally {
        await store.close()
      }
    })
  }
})

async function assertAsSorted(
  store: Store,
  name: string,
  drawn: readonly Login[],
  begin: { readonly second: number; readonly rank: number } | undefined,
  limit: number,
): Promise<void> {
  const account = await enrol(store, name)
  const active: Session[] = []
  for (const { second, rank, fate } of drawn) {
    const change = { ...positionOf(name, second, rank), ...(fate === 'over' && { endsAt: NOW + SECOND }) }
    const session = await logIn(store, account, `${name} ${rank}`, change)
    if (fate === 'active') active.push(session)
    if (fate === 'ended') await store.sessions.end(session.id)
  }
  const after = begin && positionOf(name, begin.second, begin.rank)
  const expected = active.sort(inOrder).filter((one) => !after || inOrder(one, after) > 0)
  expect(await walk(store, account.id, after, limit)).to.deep.equal(expected)
}

async function walk(
  store: Store,
  accountId: Session['accountId'],
  begin: SessionPosition | undefined,
  limit: number,
): Promise<readonly Session[]> {
  const walked: Session[] = []
  while (walked.length <= MOST) {
    const after = walked.at(-1) ?? begin
    const page = await store.sessions.pageOf({ accountId, limit, at: NOW + SECOND, ...(after && { after }) })
    expect(page).to.have.length.at.most(limit)
    walked.push(...page)
    if (page.length < limit) break
  }
  return walked
}

function positionOf(name: string, second: number, rank: number): SessionPosition {
  return { createdAt: NOW + second, id: `${rank.toString(16).padStart(2, '0')} of ${name}` as SessionId }
}

function inOrder(one: SessionPosition, other: SessionPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
