import { itStopsDuringOutage, itSurvivesOutages } from '../support/outages.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node } from './mongod.js'
import { serveOn, type RealService } from './real-service.js'

describeWith('mongod', 'a service on a standalone MongoDB server', () => {
  const leftovers = createLeftovers()
  let server: Node
  let service: RealService

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    server = await startNode({ folder: folder.path })
    leftovers.add(server.kill)
    service = await serveOn(`${server.url}kennel`, 3)
    leftovers.add(service.remove)
  })
  after(() => leftovers.clear())

  const subject = () => ({ server, service })
  // All probes together take longer than the driver needs to detect the failure.
  itSurvivesOutages(subject, { probes: 4 })
  itStopsDuringOutage(subject)
})
