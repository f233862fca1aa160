import { openKennel, OPERATOR } from 'kennel-id'
import { openPostgres } from 'kennel-id/postgresql'
import pg from 'pg'

const ORDERS = 'CREATE TABLE IF NOT EXISTS orders (seat text PRIMARY KEY, account_id bigint NOT NULL)'

/** Kennel and the orders share one database. @param {Record<string, string | undefined>} environment */
export async function openShop({ DATABASE_URL: url = '', ...environment }) {
  const store = await openPostgres(url)
  const kennel = await openKennel({
    store,
    passphrase: environment.SECURITY_JWT_PASSPHRASE,
    publicUrl: environment.PUBLIC_URL,
    production: environment.NODE_ENV === 'production',
    loginLimit: '10/15m',
  })
  const pool = new pg.Pool({ connectionString: url })
  // Without a listener, the process ends when the server closes an idle connection.
  pool.on('error', ({ message }) => console.error(message))
  await pool.query(ORDERS)

  /** Creates both an account and its order, or neither. @param {{ email: string, password: string, seat: string }} order */
  async function order({ email, password, seat }) {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const { createUser } = kennel.within(store.within(client))
      const accountId = await createUser({ caller: OPERATOR, email, password })
      await client.query('INSERT INTO orders VALUES ($1, $2)', [seat, accountId])
      await client.query('COMMIT')
      return accountId
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }

  async function close() {
    await kennel.close()
    await Promise.all([store.close(), pool.end()])
  }

  return { kennel, pool, order, close }
}
