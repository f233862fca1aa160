import { openFresh } from '../mongodb/fresh-store.js'
import { describeOnMongodb } from '../mongodb/server.js'
import { startReplicaSet } from '../mongodb/replica-set.js'
import { describeStoreLaws } from './describe-store-laws.js'

describeOnMongodb('a store in MongoDB', () => {
  describeStoreLaws('a server of its own', async () => await openFresh())
})

describeOnMongodb('a store in a MongoDB replica set', function () {
  this.timeout(60_000)
  let set: Awaited<ReturnType<typeof startReplicaSet>> | undefined

  before(async () => {
    set = await startReplicaSet()
  })
  after(() => set?.stop())

  describeStoreLaws('three servers', async () => await openFresh(set?.url))
})
