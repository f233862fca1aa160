import { dirname, delimiter } from 'node:path'
import { startReplicaSet, type ReplicaSet } from '../mongodb-faults/replica-set.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { describeWith, itWith, toolPath } from '../support/required-tools.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { follow } from './follow.js'
import { pagesOf } from './page.js'

const FOLDERS = ['kennel', 'another folder']

const page = (name: string) => {
  const path = `docs/operate/${name}.md`
  const found = pagesOf('operate').find((one) => one.path === path)
  if (!found) throw new Error(`there is no ${path}`)
  return found
}

describe('the handbook, docs/operate, with programs that not every machine has', () => {
  for (const folder of FOLDERS) {
    itWith('sqlite3', `backup.md does what it says, twice, in ${folder}`, () =>
      follow(page('backup'), folder),
    )

    itWith('nginx', `tls-proxy.md does what it says, twice, in ${folder}`, () => {
      const PATH = [dirname(toolPath('nginx')), process.env['PATH']].join(delimiter)
      return follow(page('tls-proxy'), folder, { PATH })
    })
  }
})

describeWith('mongodb', 'the handbook, docs/operate, on a MongoDB database', () => {
  let database: FreshDatabase
  beforeEach(() => {
    database = freshDatabase()
  })
  afterEach(() => database.drop())

  for (const folder of FOLDERS)
    it(`mongodb.md does what it says, twice, in ${folder}`, () =>
      follow(page('mongodb'), folder, { DATABASE_URL: database.url }))
})

describeWith('mongod', 'the handbook, docs/operate, on a replica set', () => {
  let folder: TemporaryFolder
  let set: ReplicaSet
  before(async () => {
    folder = makeTemporaryFolder()
    set = await startReplicaSet(folder.path, { allElectable: true })
  })
  after(async () => {
    await set.stop()
    folder.remove()
  })

  for (const name of FOLDERS)
    it(`mongodb-failover.md does what it says, twice, in ${name}`, () =>
      follow(page('mongodb-failover'), name, {
        DATABASE_URL: freshDatabase(set.url).url,
      }))
})
