import { expect } from 'chai'
import { MIGRATIONS } from '../../src/adapters/sqlite/schema.js'
import { VERSION as MONGODB_VERSION } from '../../src/adapters/mongodb/schema.js'
import { textOf } from '../support/project.js'
import { pages } from '../support/pages/blocks.js'

const manifest = JSON.parse(textOf('package.json')) as {
  version: string
  repository: { url: string }
  homepage: string
  bugs: { url: string }
}

describe('the changelog', () => {
  const [head = '', ...sections] = textOf('CHANGELOG.md').split(/^## /m)
  const titles = sections.map((section) => section.split('\n', 1)[0] ?? '')
  const released = titles.filter((title) => title !== 'Unreleased')
  const versions = released.map((title) => title.split(' ', 1)[0] ?? '')

  const isUnreleased = titles[0] === 'Unreleased'
  const notes = textOf('docs/operate/upgrade.md')

  it('begins with the unreleased changes only if the version ends in -dev', () => {
    expect(head).to.match(/^# Changelog\n/)
    const [, number = '', dev] = /^(\d+\.\d+\.\d+)(-dev)?$/.exec(manifest.version) ?? []
    expect(dev === '-dev').to.equal(isUnreleased)
    if (isUnreleased) expect(versions).to.not.include(number)
    else expect(versions[0]).to.equal(number)
    expect(versions.at(-1)).to.equal('0.1.0')
  })

  it('lists all versions with dates, newest first', () => {
    for (const title of released) expect(title).to.match(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
    const numbers = versions.map((version) => version.split('.').map(Number))
    const newestFirst = numbers.toSorted(
      ([a = 0, b = 0, c = 0], [x = 0, y = 0, z = 0]) => x - a || y - b || z - c,
    )
    expect(numbers).to.deep.equal(newestFirst)
    const days = released.map((title) => title.split(' - ')[1] ?? '')
    expect(days).to.deep.equal(days.toSorted().reverse())
  })

  it('has a row in the upgrade table for each version since 0.5.0, with schema changes, mixed operation and rollback', () => {
    const rows = Array.from(
      notes.matchAll(/^\| (\d\S+) +\| \S.* \| \S.* \| \S.* \|$/gm),
      ([, row = '']) => row,
    )
    const upgradable = isUnreleased ? versions : versions.slice(1)
    expect(rows).to.deep.equal(upgradable.slice(0, upgradable.indexOf('0.5.0') + 1))
  })

  it('names the current schema versions in the newest row that changes them', () => {
    const newest = (store: string) => Number(new RegExp(`\\b${store} from \\d+ to (\\d+)`).exec(notes)?.[1])
    expect([newest('SQLite'), newest('MongoDB')]).to.deep.equal([MIGRATIONS.length, MONGODB_VERSION])
  })

  it('begins with the release that the installation and upgrade pages tell the reader to check out', () => {
    const tags = ['production.md', 'systemd.md', 'upgrade.md'].flatMap((page) =>
      Array.from(
        textOf('docs/operate', page).matchAll(/--branch v(\S+)|^VERSION=(.*)$/gm),
        ([, branch, version]) => branch ?? version,
      ),
    )
    expect(tags).to.deep.equal([versions[0], versions[0], versions[0]])
  })
})

describe('the repository', () => {
  it('has the same address in the manifest and on every page', () => {
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
