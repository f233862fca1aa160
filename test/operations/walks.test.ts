import { expect } from 'chai'
import type { Workplace } from '../cli/app.js'
import { makeWalkPlace, OPERATIONS_PAGES, walk, walkedPages } from '../documentation/walk.js'
import { itWith } from './programs.js'

const BACKUP = `${OPERATIONS_PAGES}backup.md`

describe('the pages of operations', () => {
  let place: Workplace

  beforeEach(async () => {
    place = await makeWalkPlace()
  })
  afterEach(() => place.remove())

  const walked = walkedPages().filter((page) => page.startsWith(OPERATIONS_PAGES))

  it('are among those that are walked', () => {
    expect(walked).to.have.length.greaterThan(6)
  })

  for (const page of walked.filter((one) => one !== BACKUP)) {
    it(`${page}, every command of it`, async () => {
      const { code, stderr } = await walk(place, page, {})
      expect(code, stderr).to.equal(0)
    })
  }

  itWith('sqlite3', `${BACKUP}, with all that was there before`, async () => {
    const { code, stdout, stderr } = await walk(place, BACKUP, {})
    expect(code, stderr).to.equal(0)
    expect(stdout).to.contain('"loggedIn":true').and.to.contain('[{"id":1,"name":"Rex"}]')
  })
})
