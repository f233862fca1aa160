import { expect } from 'chai'
import { makeWorkplace, type Outcome, type Workplace } from '../cli/app.js'
import { createLeftovers } from './leftovers.js'
import { startReplicaSet, type ReplicaSet } from './replica-set.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'

describeWith('mongod', 'a service on a MongoDB replica set with a read-only member', () => {
  const leftovers = createLeftovers()
  let set: ReplicaSet
  let place: Workplace
  /** A service that from start to end has only the read-only member. */
  let starting: Promise<Outcome>

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    set = await startReplicaSet(folder.path)
    leftovers.add(set.stop)
    place = await makeWorkplace()
    leftovers.add(() => place.remove())
    const { url } = set.readOnly
    const env = { DATABASE_URL: `${url}kennel?directConnection=true`, PORT: '0' }
    starting = place.child(['serve'], { env })
    leftovers.add(() => starting)
  })
  after(() => leftovers.clear())

  it('exits 1 with an error if it is given only that member, as does a command', async () => {
    const env = { DATABASE_URL: `${set.readOnly.url}kennel?directConnection=true` }
    const service = await starting
    const reason = 'The MongoDB server does not take writes: it is not the primary.'
    expect(service.stdout).to.contain('"event":"waiting for the store"').and.to.contain(reason)
    expect(service.code).to.equal(1)
    expect(service.stderr.trim()).to.equal(reason)
    const { code, stderr } = await place.app(['user', 'list'], { env })
    expect([code, stderr.trim()]).to.deep.equal([1, reason])
  })
})
