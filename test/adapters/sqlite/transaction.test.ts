import { expect } from 'chai'
import { readFileSync, statSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import {
  createWrite,
  type Write,
  removeInSlices,
  SLICE_ROWS,
} from '../../../src/adapters/sqlite/transaction.js'
import { connect, type Connection } from '../../../src/adapters/sqlite/driver.js'
import { setting } from '../../../src/adapters/sqlite/schema.js'
import { suiteFolder } from '../../support/temporary-folder.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { addAccount, logIn } from '../../../src/contracts/arrangements.js'
import type { Session } from '../../../src/domain/identity/session.js'

const RETRY = { busyTimeout: 0, total: 5_000 }

describe('writes that are committed together', () => {
  const inFolder = suiteFolder()
  let connection: Connection
  let write: Write
  let files = 0

  beforeEach(async () => {
    files += 1
    connection = await connect(inFolder(`${files}.db`))
    connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (id INTEGER PRIMARY KEY, text UNIQUE)')
    write = createWrite(connection, RETRY, () => undefined)
  })

  afterEach(() => connection.close())

  const add = (text: string) => () => {
    connection.prepare('INSERT INTO notes (text) VALUES (?)').run(text)
    return text
  }
  const notes = () => connection.prepare('SELECT text FROM notes ORDER BY id').all().flat()

  it('share one commit', async () => {
    const commits = () => commitsIn(readFileSync(inFolder(`${files}.db-wal`)))
    const before = commits()
    await Promise.all(['a', 'b', 'c'].map((text) => write(add(text))))
    const together = commits()
    for (const text of ['d', 'e', 'f']) await write(add(text))
    expect([together - before, commits() - together]).to.deep.equal([1, 3])
  })

  it('fail separately', async () => {
    const half = () => {
      add('half')()
      throw new RangeError('in the middle')
    }
    const outcomes = await Promise.allSettled([add('a'), half, add('a'), add('b')].map((work) => write(work)))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).to.deep.equal([true, false, false, true])
    expect(outcomes[1]).to.have.property('reason').that.is.instanceOf(RangeError)
    expect(notes()).to.deep.equal(['a', 'b'])
  })

  it('resolve only after the commit', async () => {
    const reader = await connect(inFolder(`${files}.db`))
    const seen = await write(add('a')).then(() => setting(reader, 'SELECT count(*) FROM notes'))
    reader.close()
    expect(seen).to.equal(1)
  })

  it('wait for a lock together and then succeed in order', async () => {
    const other = await connect(inFolder(`${files}.db`))
    other.exec('BEGIN IMMEDIATE')
    const first = ['a', 'b'].map((text) => write(add(text)))
    // The first attempt finds the file locked.
    await turn()
    const third = write(add('c'))
    other.exec('COMMIT')
    await Promise.all([...first, third])
    other.close()
    expect(notes()).to.deep.equal(['a', 'b', 'c'])
  })

  it('all fail if the transaction fails, but later writes succeed', async () => {
    const broken = () => {
      add('lost')()
      connection.exec('ROLLBACK')
      throw new RangeError('the transaction is gone')
    }
    const outcomes = await Promise.allSettled([write(add('a')), write(broken), write(add('b'))])
    expect(outcomes.map((one) => one.status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    await write(add('next'))
    expect(notes()).to.deep.equal(['next'])
  })
})

/**
 * The log begins with a header of 32 bytes; each frame has a header of 24 bytes and a page, and only the last frame of a commit contains a
 * size.
 */
function commitsIn(log: Buffer): number {
  const frame = 24 + log.readUInt32BE(8)
  const frames = Math.floor((log.length - 32) / frame)
  const sizes = Array.from({ length: frames }, (_, index) => log.readUInt32BE(32 + index * frame + 4))
  return sizes.filter((size) => size > 0).length
}

describe('rows that are removed in batches', () => {
  const recording = (done: string[] = []) => ({
    write: async <T>(work: () => T) => work(),
    writeBack: async () => void done.push('written back'),
  })

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
