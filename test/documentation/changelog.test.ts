import { expect } from 'chai'
import { textOf } from '../support/project.js'
import { pages } from '../support/pages/blocks.js'

/** The sections of a release, in their order. */
const PARTS = [
  'Library',
  'HTTP',
  'Browser client',
  'Command line and settings',
  'Stores, ports and laws',
  'Package',
]

const manifest = JSON.parse(textOf('package.json')) as {
  version: string
  repository: { url: string }
  homepage: string
  bugs: { url: string }
}

describe('the changelog', () => {
  const [head = '', ...sections] = textOf('CHANGELOG.md').split(/^## /m)
  const titles = sections.map((section) => section.split('\n', 1)[0] ?? '')
  const released = titles.slice(1)
  const versions = released.map((title) => title.split(' ', 1)[0] ?? '')

  it('begins with the unreleased changes, and ends with the first version', () => {
    expect(head).to.match(/^# Changelog\n/)
    expect(titles[0]).to.equal('Unreleased')
    expect(versions.at(-1)).to.equal('0.1.0')
  })

  it('lists the current version first, and all versions with dates, newest first', () => {
    expect(versions[0]).to.equal(manifest.version)
    for (const title of released) expect(title).to.match(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
    const numbers = versions.map((version) => version.split('.').map(Number))
    const newestFirst = numbers.toSorted(
      ([a = 0, b = 0, c = 0], [x = 0, y = 0, z = 0]) => x - a || y - b || z - c,
    )
    expect(numbers).to.deep.equal(newestFirst)
    const days = released.map((title) => title.split(' - ')[1] ?? '')
    expect(days).to.deep.equal(days.toSorted().reverse())
  })

  it('divides each release into sections in one order', () => {
    for (const section of sections) {
      const parts = Array.from(section.matchAll(/^### (.*)$/gm), ([, part = '']) => part)
      expect(parts, section.split('\n', 1)[0]).to.deep.equal(PARTS.filter((part) => parts.includes(part)))
    }
  })

  it('has every version that can be upgraded from', () => {
    const from = Array.from(
      textOf('docs/operate/upgrade-notes.md').matchAll(/^## From (\S+)$/gm),
      ([, version = '']) => version,
    )
    expect(from).to.have.length.above(1)
    expect(versions).to.include.members(from)
  })
})

describe('the repository', () => {
  it('is the same in the manifest and on every page', () => {
    const { repository, homepage, bugs } = manifest
    const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
    expect([homepage, bugs.url]).to.deep.equal([`${address}#readme`, `${address}/issues`])
    const links = pages().flatMap((page) =>
      Array.from(textOf(page).matchAll(/https:\/\/github\.com\/kennel[^\s)]*/g), ([link]) => link),
    )
    expect(links).to.have.length.above(1)
    expect(links.filter((link) => link !== address && !link.startsWith(`${address}/`))).to.deep.equal([])
  })
})
