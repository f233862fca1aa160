import { expect } from 'chai'
import type { Client } from 'pg'
import { addPasskeys, withoutHash } from '../../../src/contracts/arrangements.js'
import { until } from '../../cli/workers.js'
import { storeOfTests } from '../../support/postgresql/contents.js'
import { inDatabase } from '../../support/postgresql/server.js'
import { describeWith } from '../../support/required-tools.js'

const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

describeWith('postgresql', 'concurrent changes to the passkeys of one account in PostgreSQL', () => {
  const opened = storeOfTests()

  /** Begins all calls while another transaction holds the lock on the accounts, so that no statement sees the effects of another. */
  async function afterLock<Outcome>(calls: readonly (() => Promise<Outcome>)[]): Promise<readonly Outcome[]> {
    const { database } = opened()
    return await inDatabase(database.url, async (client: Client) => {
      await client.query('BEGIN')
      await client.query('SELECT 1 FROM kennel.accounts FOR UPDATE')
      const outcomes = Promise.all(calls.map((call) => call()))
      await inDatabase(database.adminUrl, async (observer: Client) => {
        const waiting = async () => (await observer.query<{ count: number }>(WAITING)).rows[0]?.count
        await until(async () => (await waiting()) === calls.length)
      })
      await client.query('COMMIT')
      return (await outcomes).toSorted()
    })
  }

  it('never remove the last passkey of an account without a password', async () => {
    const { store } = opened()
    const ann = await withoutHash(store, 'ann')
    const passkeys = await addPasskeys(store, ann, 2)
    const remove = (id: (typeof passkeys)[number]['id']) => () => store.passkeys.remove(ann.id, id)
    expect(await afterLock(passkeys.map(({ id }) => remove(id)))).to.deep.equal(['last-way', 'removed'])
  })
})
