import { join } from 'node:path'
import { expect } from 'chai'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { dataFolder } from '../support/memory-folder.js'
import { FAST, startCluster } from '../support/postgresql/cluster.js'
import { freshDatabase, inDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { startServer, type Host } from './hosts.js'
import { installExample } from './packed.js'
import { SETTINGS, someNodes } from './programs.js'

const PASSWORD = 'a long walk in the park'
const [ADA, BOB] = ['ada@example.com', 'bob@example.com']

describeWith('postgres', 'the express-postgresql example from the packed tarball', () => {
  const leftovers = createLeftovers()
  let host: Host
  let url: string

  before(async () => {
    const folder = await installExample('express-postgresql')
    const cluster = await startCluster(dataFolder(), FAST)
    leftovers.add(cluster.stop)
    ;({ url } = await freshDatabase(cluster.urlOf()))
    const env = { ...SETTINGS, DATABASE_URL: url }
    host = await startServer(someNodes(0)[0]!, [join(folder, 'server.js')], { folder, env })
    leftovers.add(() => host.end())
  })
  after(() => leftovers.clear())

  async function post(path: string, body: object): Promise<number> {
    const headers = { 'Content-Type': 'application/json' }
    return (await host.call({ method: 'POST', path, headers, body: JSON.stringify(body) })).status
  }
  const order = (email: string, seat: string, password = PASSWORD) =>
    post('/orders', { email, password, seat })
  const logIn = (email: string) => post('/api/auth/login', { email, password: PASSWORD })
  /** Returns all orders and accounts. `together` is true if the same transaction (`xmin`) wrote an order and its account. */
  const stored = () =>
    inDatabase(url, async (client) => {
      const { rows } = await client.query<object>(`
        SELECT seat, email, orders.xmin = account.xmin AS together
        FROM orders FULL JOIN kennel.accounts AS account ON account.id = account_id`)
      return rows
    })

  it('commits an order together with its account, which can log in', async () => {
    expect(await order(ADA, '1A')).to.equal(201)
    expect(await stored()).to.deep.equal([{ seat: '1A', email: ADA, together: true }])
    expect(await logIn(ADA)).to.equal(200)
  })

  it('leaves neither an account nor an order if one of them is rejected', async () => {
    const refused = [await order(BOB, '1A'), await order(ADA, '1B'), await order(BOB, '1B', 'password')]
    expect(refused).to.deep.equal([409, 409, 400])
    expect(await stored()).to.have.lengthOf(1)
    expect(await logIn(BOB)).to.equal(401)
    expect(await order(BOB, '1B')).to.equal(201)
  })
})
