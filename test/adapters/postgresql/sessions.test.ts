import { expect } from 'chai'
import type { Client } from 'pg'
import type { PostgresStore } from '../../../src/adapters/postgresql/store.js'
import { addLoggedIn, logIn } from '../../../src/contracts/arrangements.js'
import { aGeneration, aRotation, GRACE } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { storeOfTests } from '../../support/postgresql/contents.js'
import { inDatabase, type FreshDatabase } from '../../support/postgresql/server.js'
import { describeWith } from '../../support/required-tools.js'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const ROTATED = NAMES.map(() => 'rotated')

describeWith('postgresql', 'concurrent refreshes in PostgreSQL', () => {
  const opened = storeOfTests()
  let database: FreshDatabase
  let store: PostgresStore
  let account: Account
  let first: Session
  let others: readonly Session[]

  beforeEach(async () => {
    ;({ store, database } = opened())
    ;({ account, session: first } = await addLoggedIn(store))
    others = await Promise.all(NAMES.map((name) => logIn(store, account, name)))
  })

  const kindOf = (session: Session, change: Partial<RotationRequest>) =>
    store.sessions.rotate(aRotation(session, change)).then(
      ({ kind }) => kind,
      () => 'error',
    )
  /** Rotates all sessions. `change` overrides members of the first session's request. */
  const rotateAll = (grace = GRACE, change: Partial<RotationRequest> = {}) =>
    [
      kindOf(first, { grace, ...change }),
      Promise.all(others.map((session) => kindOf(session, { grace }))),
    ] as const

  async function transactionsThatWrote(): Promise<unknown> {
    return await inDatabase(database.url, async (client) => {
      const { rows } = await client.query<{ count: string }>(
        'SELECT count(DISTINCT CAST(xmin AS text)) FROM kennel.sessions',
      )
      return rows[0]?.count
    })
  }

  it('run in one transaction, and each session gets its own successor', async () => {
    expect(await Promise.all(rotateAll())).to.deep.equal(['rotated', ROTATED])
    expect(await transactionsThatWrote()).to.equal('1')
    for (const session of [first, ...others]) {
      const { at, next } = aRotation(session)
      const { pairId, keyDigest } = session.current
      expect((await store.sessions.findById(session.id, at))?.session).to.deep.equal({
        ...session,
        current: next,
        previous: { pairId, keyDigest, until: at + GRACE },
      })
    }
  })

  for (const [what, kind, grace, prepare] of [
    ['another process has rotated one session', 'superseded', GRACE, aRotationOf(GRACE)],
    ['one of them is a replay', 'replayed', 0, aRotationOf(0)],
    ['one session has ended', 'unknown', GRACE, async () => await store.sessions.end(first.id)],
    ['one account has changed', 'unknown', GRACE, changed('epoch = 2')],
    [
      'one actor has changed',
      'unknown',
      GRACE,
      changed("actor_id = account_id, actor_epoch = 2, actor_email = '', actor_ends_at = ends_at"),
    ],
  ] as const)
    it(`have separate outcomes if ${what}`, async () => {
      await prepare()
      expect(await Promise.all(rotateAll(grace))).to.deep.equal([kind, ROTATED])
    })

  function aRotationOf(grace: number) {
    return async () => await store.sessions.rotate(aRotation(first, { grace }, 1))
  }

  function changed(assignments: string) {
    return async () =>
      await inDatabase(database.url, (client) =>
        client.query(`UPDATE kennel.sessions SET ${assignments} WHERE id = $1`, [first.id]),
      )
  }

  it('do not wait for a session that another transaction has locked', async () => {
    await inDatabase(database.url, async (client: Client) => {
      await client.query('BEGIN')
      await client.query('SELECT 1 FROM kennel.sessions WHERE id = $1 FOR UPDATE', [first.id])
      const [one, rest] = rotateAll()
      expect(await rest).to.deep.equal(ROTATED)
      await client.query('COMMIT')
      expect(await one).to.equal('rotated')
    })
  })

  it('do not fail if the server refuses the new row of one session', async () => {
    const { current } = await logIn(store, account, 'taken', { current: aGeneration('taken', 2) })
    const next = { ...aGeneration('another', 2), keyDigest: current.keyDigest }
    expect(await Promise.all(rotateAll(GRACE, { next }))).to.deep.equal(['error', ROTATED])
  })
})
