import { readdirSync, statSync } from 'node:fs'
import { expect } from 'chai'
import { join } from 'node:path'
import { workplaceOfTests } from './app.js'

/**
 * Returns the size of the write-ahead logs. With the SQLite package for Node 20, a clean exit leaves an empty log; any content would mean
 * lost writes.
 */
const logBytes = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('-wal'))
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0)

describe('the SQLite files after a clean exit', () => {
  const place = workplaceOfTests()

  const file = () => ({ DATABASE_URL: `sqlite:${join(place.folder, 'data', 'app.db')}` })
  const data = () => join(place.folder, 'data')

  for (const workers of ['1', '2'])
    it(`include an empty write-ahead log for a service with ${workers} workers`, async () => {
      const env = { ...file(), LOGIN_LIMIT: '10/15m', WORKERS: workers }
      const service = await place.serve(env)
      const login = await service.logIn('ada@example.com', 'a guess')
      const before = logBytes(data())
      expect([login.status, await service.stop()]).to.deep.equal([401, 0])
      expect(before).to.be.greaterThan(0)
      expect(readdirSync(data())).to.include.members(['app.db', 'app.db-attempts'])
      expect(logBytes(data())).to.equal(0)
    })

  it('are reduced to a single file after a command', async () => {
    const made = await place.child(['role', 'create', 'editor', 'Editor'], { env: file() })
    const listed = await place.child(['role', 'list'], { env: file() })
    expect([made.code, listed.code]).to.deep.equal([0, 0])
    expect(readdirSync(data())).to.deep.equal(['app.db'])
  })
})
