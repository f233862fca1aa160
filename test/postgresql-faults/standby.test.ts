import type { Socket } from 'node:net'
import { expect } from 'chai'
import { until } from '../cli/workers.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { startProxy } from '../mongodb-faults/proxy.js'
import { becomes, expectEveryRouteRefuses, probe, serveOn } from '../mongodb-faults/real-service.js'
import { createBrowser, identityWith } from '../support/http/browser.js'
import { startCluster, type Cluster } from '../support/postgresql/cluster.js'
import { freshDatabase, inDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

describeWith('postgres', 'a service whose PostgreSQL primary is replaced by a standby', () => {
  const leftovers = createLeftovers()
  after(() => leftovers.clear())

  /** An address that leads to one server, and then to another. */
  async function movableAddress(first: Cluster): Promise<{ host: string; moveTo: (next: Cluster) => void }> {
    let target = first
    const sockets = new Set<Socket>()
    const { host, close } = await startProxy(
      () => target.host,
      (client, upstream) => {
        sockets.add(client)
        client.pipe(upstream)
        upstream.pipe(client)
      },
    )
    leftovers.add(close)
    const moveTo = (next: Cluster) => {
      target = next
      for (const socket of sockets) socket.destroy()
    }
    return { host, moveTo }
  }

  it('proves no identity while the server is in recovery and lacks a logout', async () => {
    const primary = await startCluster(makeTemporaryFolder().path)
    leftovers.add(primary.stop)
    const { url, name } = await freshDatabase(primary.urlOf())
    const { host, moveTo } = await movableAddress(primary)
    const service = await serveOn(Object.assign(new URL(url), { host }).href, 2)
    leftovers.add(service.remove)
    const [active, ended] = service.emails.map((email) => createBrowser(service, email))
    if (!active || !ended) throw new Error('the service has two accounts')
    for (const browser of [active, ended]) expect((await browser.login()).status).to.equal(200)
    const held = ended.held()

    const standby = await primary.standby(makeTemporaryFolder().path)
    leftovers.add(standby.stop)
    const replay = (what: 'pause' | 'resume') =>
      inDatabase(standby.urlOf(name), (client) => client.query(`SELECT pg_wal_replay_${what}()`))
    await replay('pause')
    expect((await ended.logout()).status).to.equal(200)
    moveTo(standby)

    expect(await probe(service)).to.equal(503)
    await expectEveryRouteRefuses(service, active)
    expect((await identityWith(service, held)).status).to.equal(503)

    await replay('resume')
    await until(() => hasReplayed(primary, standby))
    await standby.promote()
    await becomes(service, 200)
    expect((await identityWith(service, held)).status).to.equal(401)
    expect((await active.getIdentity()).status).to.equal(200)
  })
})

async function hasReplayed(primary: Cluster, standby: Cluster): Promise<boolean> {
  const lsn = async (cluster: Cluster, call: string) =>
    await inDatabase(cluster.urlOf(), async (client) => {
      const { rows } = await client.query<{ lsn: string }>(`SELECT ${call}::text AS lsn`)
      return rows[0]?.lsn
    })
  return (await lsn(primary, 'pg_current_wal_lsn()')) === (await lsn(standby, 'pg_last_wal_replay_lsn()'))
}
