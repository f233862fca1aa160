import { join } from 'node:path'
import { expect } from 'chai'
import type { Workplace } from '../cli/app.js'
import { makeWalkPlace, OPERATIONS_PAGES, RESIDENTS, walk, walkedPages } from '../support/pages/walk.js'
import { itWith } from '../support/required-tools.js'

const BACKUP = `${OPERATIONS_PAGES}backup.md`

describe('the pages of operations', () => {
  let place: Workplace

  // One folder for all: each page is followed with the data that those before it have left.
  before(async () => {
    place = await makeWalkPlace()
  })
  after(() => place.remove())

  const walked = walkedPages().filter((page) => page.startsWith(OPERATIONS_PAGES))

  it('are among those that are walked', () => {
    expect(walked).to.have.length.greaterThan(6)
  })

  async function emailsIn(file: string): Promise<readonly string[]> {
    const env = { DATABASE_URL: `sqlite:${join(place.folder, 'data', file)}` }
    const { stdout } = await place.app(['user', 'list', '--json'], { env })
    return (JSON.parse(stdout) as { email: string }[]).map(({ email }) => email)
  }

  for (const page of walked.filter((one) => one !== BACKUP)) {
    it(`${page}, every command of it`, async () => {
      const { code, stderr } = await walk(place, page, {})
      expect(code, stderr).to.equal(0)
    })
  }

  it('keep a copy of the data before an upgrade, not of an empty file', async () => {
    expect(await emailsIn('before-the-upgrade.db')).to.include.members(RESIDENTS)
  })

  itWith('sqlite3', `${BACKUP}, with all that was there before`, async () => {
    const { code, stdout, stderr } = await walk(place, BACKUP, {})
    expect(code, stderr).to.equal(0)
    expect(stdout).to.contain('"loggedIn":true')
    for (const email of RESIDENTS) expect(stdout).to.contain(`"name":"Pet of ${email}"`)
    // In the service's own file, which was made anew, and in the copy that it was made from.
    for (const file of ['app.db', 'backup/app.db'])
      expect(await emailsIn(file)).to.include.members([...RESIDENTS, 'barbara@example.com'])
  })
})
