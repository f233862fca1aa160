import { expect } from 'chai'
import { statSync } from 'node:fs'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { removeInSlices, SLICE_ROWS } from '../../../src/adapters/sqlite/slices.js'
import { addAccount, logIn } from '../../../src/contracts/arrangements.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { suiteFolder } from '../../support/temporary-folder.js'

describe('rows that are removed in batches', () => {
  /** A database that records its checkpoints in `done`. */
  const recording = (done: string[] = []) => ({
    write: async <T>(work: () => T) => work(),
    writeBack: async () => void done.push('written back'),
  })

  /** Removes at most `limit` rows; returns their number, and the removals and checkpoints in order. */
  async function removing(rows: number, limit: number) {
    const done: string[] = []
    let left = rows
    const removed = await removeInSlices(recording(done), limit, (most) => {
      const gone = Math.min(most, left)
      left -= gone
      done.push(`removed ${gone} of ${most}`)
      return { looked: gone, gone }
    })
    return { removed, done }
  }

  it('are removed in separate transactions until a batch is not full, with a checkpoint after each full batch', async () => {
    const { removed, done } = await removing(2 * SLICE_ROWS + 3, 500)
    expect(removed).to.equal(2 * SLICE_ROWS + 3)
    expect(done).to.deep.equal([
      ...['removed 10 of 10', 'written back', 'removed 10 of 10', 'written back'],
      'removed 3 of 10',
    ])
  })

  it('are removed even if they follow rows that are not removed', async () => {
    const looks = [
      [SLICE_ROWS, 0],
      [SLICE_ROWS, 4],
      [3, 2],
    ]
    const look = () => {
      const [looked = 0, gone = 0] = looks.shift() ?? []
      return { looked, gone }
    }
    expect(await removeInSlices(recording(), 500, look)).to.equal(6)
    expect(looks).to.deep.equal([])
  })

  it('remain in the table if they exceed the limit', async () => {
    const { removed, done } = await removing(100, SLICE_ROWS + 4)
    expect(removed).to.equal(SLICE_ROWS + 4)
    expect(done.filter((one) => one !== 'written back')).to.deep.equal(['removed 10 of 10', 'removed 4 of 4'])
    expect((await removing(100, 0)).removed).to.equal(0)
  })

  it('are no longer read after the signal aborts', async () => {
    const stopping = new AbortController()
    const looks = [() => undefined, () => stopping.abort()]
    const lookAndStop = () => {
      looks.shift()!()
      return { looked: SLICE_ROWS, gone: 1 }
    }
    expect(await removeInSlices(recording(), 500, lookAndStop, stopping.signal)).to.equal(2)
  })

  describe('in a SQLite file', () => {
    const inFolder = suiteFolder()
    const MANY = 300

    it('remain if the session purge is aborted before it begins', async () => {
      const store = await openSqlite(inFolder('stopped.db'))
      const { endsAt } = await logIn(store, await addAccount(store))
      expect(await store.sessions.purge(endsAt, 500, AbortSignal.abort())).to.equal(0)
      expect(await store.sessions.purge(endsAt, 500, new AbortController().signal)).to.equal(1)
      await store.close()
    })

    it('do not delay other writes, and do not make the write-ahead log grow', async () => {
      const store = await openSqlite(inFolder('app.db'))
      const ann = await addAccount(store)
      const sessions = Array.from({ length: MANY }, (_, index) => logIn(store, ann, `login ${index}`))
      const [{ endsAt }] = (await Promise.all(sessions)) as [Session]
      const logBytes = () => statSync(inFolder('app.db-wal')).size
      await store.sessions.purge(endsAt, SLICE_ROWS)
      const before = logBytes()
      const done: string[] = []
      const purged = store.sessions.purge(endsAt, 500).then((count) => done.push(`purged ${count}`))
      await addAccount(store, 'bob')
      done.push('enrolled')
      await purged
      expect(done).to.deep.equal(['enrolled', `purged ${MANY - SLICE_ROWS}`])
      expect(logBytes()).to.equal(before)
      await store.close()
    })
  })
})
