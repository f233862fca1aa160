import { expect } from 'chai'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { becomes, expectEveryRouteRefuses, probe, serveOn } from '../mongodb-faults/real-service.js'
import { createBrowser, identityWith } from '../support/http/browser.js'
import { refusalOf } from '../support/refusal-of.js'
import { describeWith } from '../support/required-tools.js'
import { startReplicated } from './replicated.js'

describeWith('postgres', 'a service whose PostgreSQL primary is replaced by a standby', () => {
  const leftovers = createLeftovers()
  after(() => leftovers.clear())

  it('identifies no caller while the server is in recovery and has not yet received a logout', async () => {
    const replicated = await startReplicated()
    leftovers.add(replicated.stop)
    const service = await serveOn(replicated.url, 2)
    leftovers.add(service.remove)
    const [active, ended] = service.emails.map((email) => createBrowser(service, email))
    if (!active || !ended) throw new Error('the service has two accounts')
    for (const browser of [active, ended]) expect((await browser.login()).status).to.equal(200)
    const held = ended.held()
    const store = await openPostgres(replicated.url)
    leftovers.add(() => store.close())
    await store.ready()

    await replicated.onStandby('SELECT pg_wal_replay_pause()')
    expect((await ended.logout()).status).to.equal(200)
    replicated.move()
    expect(await probe(service)).to.equal(503)
    await expectEveryRouteRefuses(service, active)
    expect((await identityWith(service, held)).status).to.equal(503)
    // A request that the former primary authenticated must not read outdated pets either.
    expect((await refusalOf(store.pets.find(1 as PetId))).detail).to.contain('in recovery')

    await replicated.failOver()
    await becomes(service, 200)
    expect((await identityWith(service, held)).status).to.equal(401)
    expect((await active.getIdentity()).status).to.equal(200)
  })
})
