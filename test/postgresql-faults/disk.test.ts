import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { openPostgres } from '../../src/adapters/postgresql/store.js'
import { aPet } from '../../src/contracts/samples.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { startCluster } from '../support/postgresql/cluster.js'
import { freshDatabase } from '../support/postgresql/server.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

const SMALL = { max_wal_size: '32MB', min_wal_size: '32MB', shared_buffers: '1MB' }

describeWith('postgres', 'a PostgreSQL server on a full disk', () => {
  const leftovers = createLeftovers()
  let disk: string

  before(function () {
    // Only root can mount a disk.
    if (process.getuid?.() !== 0) this.skip()
    const { path, remove } = makeTemporaryFolder()
    leftovers.add(remove)
    run('mount', '-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', path)
    leftovers.add(() => run('umount', '-l', path))
    disk = path
  })
  after(() => leftovers.clear())

  it('reports the full disk when it rejects writes, and accepts writes when there is room again', async () => {
    const cluster = await startCluster(disk, SMALL)
    leftovers.add(cluster.stop)
    const { url } = await freshDatabase(cluster.urlOf())
    const store = await openPostgres(url)
    leftovers.add(() => store.close())
    const filler = join(disk, 'filler')
    run('sh', '-c', `dd if=/dev/zero of="$0" bs=64k 2>/dev/null || true`, filler)
    const refusal = await refusalOfWrites(store)
    run('rm', filler)
    expect(refusal).to.deep.include({
      code: 'unavailable',
      detail: 'The disk of the PostgreSQL server is full.',
    })
    expect(await store.pets.insert(aPet('Rex'))).to.have.property('kind', 'inserted')
    await store.ready()
  })
})

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

async function refusalOfWrites({ pets }: Store): Promise<unknown> {
  for (;;) {
    try {
      await pets.insert(aPet('Rex'))
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  }
}
