import { expect } from 'chai'
import { workplaceOfTests } from '../cli/app.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { createLeftovers } from './leftovers.js'
import { startReplicaSet } from './replica-set.js'

describeWith('mongod', 'a MongoDB replica set of which only a read-only member can be reached', () => {
  const leftovers = createLeftovers()
  const place = workplaceOfTests()
  afterEach(() => leftovers.clear())

  it('makes a service and a command exit with code 1 and the same error', async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    const set = await startReplicaSet(folder.path)
    leftovers.add(set.stop)
    const env = { DATABASE_URL: `${set.readOnly.url}kennel?directConnection=true` }
    const [service, command] = await Promise.all([
      place.child(['serve'], { env }),
      place.child(['user', 'list'], { env }),
    ])
    const reason = 'The MongoDB server does not accept writes: it is not the primary.'
    expect(service.stdout).to.contain('"event":"waiting for the store"').and.to.contain(reason)
    for (const { code, stderr } of [service, command])
      expect([code, stderr.trim()]).to.deep.equal([1, reason])
  })
})
