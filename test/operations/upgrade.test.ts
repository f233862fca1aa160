import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { VERSION_1_FILE } from '../support/sqlite-version-1.js'
import { workplaceOfTests } from '../cli/app.js'

/** Higher than any release will have for a while. */
const OF_THE_FUTURE = 9_999

describe('an upgrade', () => {
  const place = workplaceOfTests()

  const file = () => join(place.folder, 'old.db')
  const env = () => ({ DATABASE_URL: `sqlite:${file()}` })

  async function execute(sql: string): Promise<void> {
    const connection = await connect(file())
    connection.exec(sql)
    connection.close()
  }

  it('migrates a file of the first release at startup, with its accounts', async () => {
    await execute(VERSION_1_FILE)
    const service = await place.serve(env())
    const ready = await fetch(`${service.origin}/health/ready`)
    expect([ready.status, await service.stop()]).to.deep.equal([200, 0])
    const { stdout } = await place.app(['user', 'list', '--json'], { env: env() })
    const emails = (JSON.parse(stdout) as { email: string }[]).map(({ email }) => email)
    expect(emails).to.deep.equal(['ann@example.org', 'bob@example.org'])
  })

  it('cannot be reverted: an older program rejects the file with a message and leaves the file unchanged', async () => {
    // A separate process: its file handles close with it, not at a later garbage collection.
    await place.child(['store', 'create'], { env: env() })
    await execute(`PRAGMA user_version = ${OF_THE_FUTURE}`)
    const before = readFileSync(file())
    for (const args of [['serve'], ['role', 'list']]) {
      const { code, stdout, stderr } = await place.child(args, { env: { ...env(), PORT: '0' } })
      expect(
        [code, `${stdout}${stderr}`.includes('written by a newer release')],
        args.join(' '),
      ).to.deep.equal([1, true])
    }
    expect(readFileSync(file()).equals(before)).to.equal(true)
  })
})
