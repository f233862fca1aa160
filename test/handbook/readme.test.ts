import { expect } from 'chai'
import { follow, FOLDERS } from './follow.js'
import { readPage } from './page.js'

const SETUP = [/^npm ci && npm start\n$/, /^npm install \S+\.tgz\n$/, /^npm ci && npm test\n$/]
const ABSENT = ['OAuth', 'OpenID Connect', 'social login', 'SMS', 'tenants']

describe('the README', () => {
  const page = readPage('README.md')
  const readme = { ...page, start: 'the cloned repository, with the service running' }

  for (const folder of FOLDERS)
    it(`works in five minutes, twice in a row, in ${folder}`, () => follow(readme, folder))

  it('contains, besides the tested blocks, only three initial commands and a diagram', () => {
    const others = page.steps.flatMap((step) => (step.kind === 'other' ? [step] : []))
    const named = others.filter(({ language }) => language !== 'mermaid')
    expect(named).to.have.length(SETUP.length)
    SETUP.forEach((text, index) => expect(named[index]?.text).to.match(text))
    expect(others.length - named.length).to.equal(1)
    expect(page.steps.filter(({ kind }) => kind === 'output')).to.have.length(3)
  })

  it('lists the missing features and links to every section of the handbook', () => {
    const [, absent = ''] = /^\*\*Kennel does not have\*\* ([^]*?)\n\n/m.exec(page.text) ?? []
    expect(ABSENT.filter((one) => !absent.includes(one))).to.deep.equal([])
    expect(page.text.match(/\]\(docs\/README\.md/g)).to.have.length(5)
  })
})
