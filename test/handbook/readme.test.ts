import { expect } from 'chai'
import { follow, FOLDERS } from './follow.js'
import { readPage } from './page.js'

const ABSENT = ['OAuth', 'OpenID Connect', 'social login', 'SMS', 'tenants']

describe('the README', () => {
  const page = readPage('README.md')
  const readme = { ...page, start: 'the cloned repository, with the service running' }

  for (const folder of FOLDERS)
    it(`works in five minutes, twice in a row, in ${folder}`, () => follow(readme, folder))

  it('lists the missing features and links to every section of the handbook', () => {
    const [, absent = ''] = /^\*\*Kennel does not have\*\* ([^]*?)\n\n/m.exec(page.text) ?? []
    expect(ABSENT.filter((one) => !absent.includes(one))).to.deep.equal([])
    expect(page.text.match(/\]\(docs\/README\.md/g)).to.have.length(5)
  })
})
