import { expect } from 'chai'
import { statSync } from 'node:fs'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { removeInSlices, SLICE_ROWS } from '../../../src/adapters/sqlite/slices.js'
import { enrol, logIn } from '../../../src/contracts/arrangements.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { suiteFolder } from '../../support/temporary-folder.js'

describe('rows that are removed in slices', () => {
  /** A store with some rows that records all changes. */
  function recording(rows: number) {
    const done: string[] = []
    let left = rows
    const database = {
      write: async <T>(work: () => T) => await Promise.resolve(work()),
      writeBack: async () => {
        done.push('written back')
        await Promise.resolve()
      },
    }
    const remove = (limit: number) => {
      const removed = Math.min(limit, left)
      left -= removed
      done.push(`removed ${removed} of ${limit}`)
      return { looked: removed, gone: removed }
    }
    return { done, removeAll: (limit: number) => removeInSlices(database, limit, remove) }
  }

  it('are removed in separate transactions, each written back, until a slice is not full', async () => {
    const { done, removeAll } = recording(2 * SLICE_ROWS + 3)
    expect(await removeAll(500)).to.equal(2 * SLICE_ROWS + 3)
    expect(done).to.deep.equal([
      ...['removed 10 of 10', 'written back', 'removed 10 of 10', 'written back'],
      'removed 3 of 10',
    ])
  })

  it('are found behind rows that stay', async () => {
    const looks = [
      { looked: SLICE_ROWS, gone: 0 },
      { looked: SLICE_ROWS, gone: 4 },
      { looked: 3, gone: 2 },
    ]
    const database = {
      write: async <T>(work: () => T) => await Promise.resolve(work()),
      writeBack: async () => undefined,
    }
    expect(await removeInSlices(database, 500, () => looks.shift() ?? { looked: 0, gone: 0 })).to.equal(6)
    expect(looks).to.deep.equal([])
  })

  it('stay if they exceed the limit', async () => {
    const { done, removeAll } = recording(100)
    expect(await removeAll(SLICE_ROWS + 4)).to.equal(SLICE_ROWS + 4)
    expect(done.filter((one) => one !== 'written back')).to.deep.equal(['removed 10 of 10', 'removed 4 of 4'])
    expect(await removeAll(0)).to.equal(0)
  })

  it('are no longer read when the signal is aborted', async () => {
    const stopping = new AbortController()
    let looks = 0
    const database = {
      write: async <T>(work: () => T) => await Promise.resolve(work()),
      writeBack: async () => undefined,
    }
    const lookAndStop = () => {
      looks += 1
      if (looks === 2) stopping.abort()
      if (looks === 4) throw new Error('the purge goes on')
      return { looked: SLICE_ROWS, gone: 1 }
    }
    expect(await removeInSlices(database, 500, lookAndStop, stopping.signal)).to.equal(2)
  })

  describe('in a file', () => {
    const inFolder = suiteFolder()
    const MANY = 300

    it('stay if the purge of sessions is stopped before it begins', async () => {
      const store = await openSqlite(inFolder('stopped.db'))
      const { endsAt } = await logIn(store, await enrol(store))
      expect(await store.sessions.purge(endsAt, 500, AbortSignal.abort())).to.equal(0)
      expect(await store.sessions.purge(endsAt, 500, new AbortController().signal)).to.equal(1)
      await store.close()
    })

    it('let other writes go first, without growth of the log', async () => {
      const store = await openSqlite(inFolder('app.db'))
      const ann = await enrol(store)
      const sessions = Array.from({ length: MANY }, (_, index) => logIn(store, ann, `login ${index}`))
      const [{ endsAt }] = (await Promise.all(sessions)) as [Session]
      const logBytes = () => statSync(inFolder('app.db-wal')).size
      await store.sessions.purge(endsAt, SLICE_ROWS)
      const before = logBytes()
      const done: string[] = []
      const purged = store.sessions.purge(endsAt, 500).then((count) => done.push(`purged ${count}`))
      await enrol(store, 'bob')
      done.push('enrolled')
      await purged
      expect(done).to.deep.equal(['enrolled', `purged ${MANY - SLICE_ROWS}`])
      expect(logBytes()).to.equal(before)
      await store.close()
    })
  })
})
