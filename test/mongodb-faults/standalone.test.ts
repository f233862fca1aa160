import { expect } from 'chai'
import { createBrowser } from '../support/http/browser.js'
import { UNAVAILABLE } from '../support/http/expected.js'
import { PETS } from '../support/http/pet-calls.js'
import { expectNothingLost } from './found.js'
import { createLeftovers } from './leftovers.js'
import { startLoad } from './load.js'
import { startNode, type Node } from './mongod.js'
import {
  becomes,
  expectEveryRouteRefuses,
  PET_UNAVAILABLE,
  probe,
  refusedForNow,
  serveOn,
  type RealService,
} from './real-service.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'

const ENOUGH = 200

describeWith('mongod', 'a service on a standalone MongoDB server', () => {
  const leftovers = createLeftovers()
  let node: Node
  let service: RealService
  let url: string

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    node = await startNode({ folder: folder.path })
    leftovers.add(node.kill)
    url = `${node.url}kennel`
    service = await serveOn(url, 3)
    leftovers.add(service.remove)
  })
  after(() => leftovers.clear())

  it('loses no acknowledged write if the server is killed under load and restarted', async () => {
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
    await expectNothingLost(url, report)
  })

  it('responds to every route and the probe with the documented body while the server is down', async () => {
    const browser = createBrowser(service, service.emails[0] ?? '')
    expect((await browser.login()).status).to.equal(200)
    await node.kill()
    expect(await probe(service)).to.equal(503)
    await expectEveryRouteRefuses(service, browser)
    await node.restart()
    await becomes(service, 200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('responds to every probe while the server hangs, and is ready again after the server resumes', async () => {
    const browser = createBrowser(service, service.emails[0] ?? '')
    expect((await browser.login()).status).to.equal(200)
    await node.freeze()
    // Each probe waits for 2 s, so that together they take longer than the driver needs to detect the failure.
    for (let count = 0; count < 4; count += 1) expect(await probe(service)).to.equal(503)
    expect(refusedForNow(await browser.getIdentity())).to.deep.equal(UNAVAILABLE)
    node.thaw()
    await becomes(service, 200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('stops on a signal even if the server hangs', async () => {
    await node.freeze()
    const pending = service.client.call('GET', PETS, { headers: { 'X-API-Key': service.apiKey } })
    await probe(service)
    service.serving.child.kill('SIGTERM')
    expect(refusedForNow(await pending)).to.deep.equal(PET_UNAVAILABLE)
    expect(await service.serving.ended).to.equal(0)
  })
})
