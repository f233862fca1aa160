import { expect } from 'chai'
import { SILENT_LOG } from '../../src/ports/log.js'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { infrastructureOf, shareOf } from '../../src/composition-root/infrastructure.js'
import { hostMachine } from '../../src/configuration/environment.js'
import { settingsOf } from '../configuration/reading.js'

describe('the share of one process', () => {
  it('is rounded up, so it is at least 1', () => {
    expect([shareOf(10, 4), shareOf(4, 4), shareOf(1, 4), shareOf(10_000, 1)]).to.deep.equal([
      3, 1, 1, 10_000,
    ])
  })

  it('applies to concurrent and waiting hashes', () => {
    const hashing = (workers: number, texts = {}) => {
      const parts = { store: createMemoryStore(), log: SILENT_LOG, workers }
      const { concurrency, queue } = infrastructureOf(settingsOf(texts), parts).hashing
      return { concurrency, queue }
    }
    const explicit = { PASSWORD_HASH_CONCURRENCY: '6' }
    expect(hashing(1, explicit)).to.deep.equal({ concurrency: 6, queue: 64 })
    expect(hashing(4, explicit)).to.deep.equal({ concurrency: 2, queue: 16 })
    // At most one for each core, although libuv would run more in each process.
    expect(hashing(hostMachine().cores)).to.deep.equal({
      concurrency: 1,
      queue: shareOf(64, hostMachine().cores),
    })
  })
})
