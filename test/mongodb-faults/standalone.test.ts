import { expect } from 'chai'
import { createBrowser } from '../http/identity/browser.js'
import { UNAVAILABLE } from '../http/identity/expected.js'
import { PETS } from '../http/pets/pet-calls.js'
import { expectNothingLost } from './found.js'
import { createLeftovers } from './leftovers.js'
import { startLoad } from './load.js'
import { describeWithMongod, startNode, type Node } from './mongod.js'
import { becomes, PET_UNAVAILABLE, probe, refusedForNow, serveOn, type RealService } from './real-service.js'
import { makeTemporaryFolder } from './temporary-folder.js'

/** What the port promises, and what a busy machine adds. */
const STORE_PATIENCE = 5000
const SLACK = 1500
/** Writes that are acknowledged before anything befalls the server. */
const ENOUGH = 200
/** Within this time a probe has to tell what the store does. */
const PROBE_LIMIT = 2000

describeWithMongod('a MongoDB server of its own, and what befalls it', function () {
  this.timeout(60_000)
  const leftovers = createLeftovers()
  let node: Node
  let service: RealService
  let url: string

  before(async () => {
    const folder = await makeTemporaryFolder()
    leftovers.add(folder.remove)
    node = await startNode({ folder: folder.path })
    leftovers.add(node.kill)
    url = `${node.url}kennel`
    service = await serveOn(url, 3)
    leftovers.add(service.remove)
  })
  after(() => leftovers.clear())

  it('is killed under load and comes back: nothing acknowledged is lost, no restart is needed', async () => {
    const load = await startLoad(service)
    await load.acknowledged(ENOUGH)
    for (let kill = 0; kill < 2; kill += 1) {
      const refused = load.next('refusal')
      await node.kill()
      await refused
      await node.restart()
      await load.next('pet', 'refresh')
    }
    const report = await load.stop()
    expect(report.wrong).to.deep.equal([])
    expect(report.slowest).to.be.below(STORE_PATIENCE + SLACK)
    await expectNothingLost(url, report)
  })

  it('is gone: every route says so in time, with the decided body, and the probe within 2 s', async () => {
    const browser = createBrowser(service, service.emails[0] ?? '')
    expect((await browser.login()).status).to.equal(200)
    await node.kill()
    expect(await probe(service)).to.satisfy(saysWithin(503))
    const began = performance.now()
    const replies = await Promise.all([
      browser.getIdentity(),
      browser.login(),
      browser.refresh(),
      browser.logout(),
      service.client.call('GET', PETS, { headers: { 'X-API-Key': service.apiKey } }),
    ])
    expect(performance.now() - began).to.be.below(STORE_PATIENCE + SLACK)
    for (const reply of replies.slice(0, 4)) expect(refusedForNow(reply)).to.deep.equal(UNAVAILABLE)
    expect(refusedForNow(replies.at(-1))).to.deep.equal(PET_UNAVAILABLE)
    await node.restart()
    expect(await becomes(service, 200)).to.be.below(PROBE_LIMIT)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('hangs: every probe answers within 2 s, and it is well again as soon as the server goes on', async () => {
    const browser = createBrowser(service, service.emails[0] ?? '')
    expect((await browser.login()).status).to.equal(200)
    node.freeze()
    expect(await probe(service)).to.satisfy(saysWithin(503))
    // Longer than the driver itself takes to find out.
    const began = performance.now()
    while (performance.now() - began < 6000) expect(await probe(service)).to.satisfy(saysWithin(503))
    expect(refusedForNow(await browser.getIdentity())).to.deep.equal(UNAVAILABLE)
    node.thaw()
    expect(await becomes(service, 200)).to.be.below(PROBE_LIMIT)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('hangs while the service is told to stop: it stops all the same', async () => {
    node.freeze()
    const pending = service.client.call('GET', PETS, { headers: { 'X-API-Key': service.apiKey } })
    await probe(service)
    service.serving.child.kill('SIGTERM')
    expect(refusedForNow(await pending)).to.deep.equal(PET_UNAVAILABLE)
    expect(await service.serving.ended).to.equal(0)
  })
})

function saysWithin(status: number) {
  return (said: { status: number; after: number }) => said.status === status && said.after < PROBE_LIMIT
}
