import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { PROJECT, textOf } from '../support/project.js'
import { blocksOf, isOfHandbook, pages } from '../support/pages/blocks.js'

/** Commands that every test run and continuous integration execute. */
const SETUP = ['npm ci && npm test\n']

describe('documentation', () => {
  it('contains no untested code block outside the handbook', () => {
    const all = pages()
      .filter((page) => !isOfHandbook(page))
      .flatMap(blocksOf)
    expect(all.map(({ text: code }) => code)).to.deep.equal(SETUP)
  })

  it('shows every command in a code block that a test runs', () => {
    const walks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sh walk')
      .map((one) => one.text)
    const commands = Object.keys(COMMANDS).map((id) => `bin/app.js ${id.replaceAll(':', ' ')}`)
    expect(commands.length).to.be.greaterThan(15)
    expect(commands.filter((command) => !walks.some((walk) => walk.includes(command)))).to.deep.equal([])
  })

  it('links only to pages and files that exist', () => {
    for (const page of pages()) {
      const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)
      for (const [, target = ''] of links) {
        expect(existsSync(normalize(join(dirname(page), target))), `${page} links to ${target}`).to.equal(
          true,
        )
      }
    }
  })

  it('links to a repository file by web address only if the file exists', () => {
    const address = /\]\(https:\/\/github\.com\/kennel-id\/kennel-id\/blob\/main\/([^)#]+)/g
    const files = pages().flatMap((page) =>
      Array.from(textOf(page).matchAll(address), ([, file = '']) => file),
    )
    expect(files).to.include('CONTRIBUTING.md')
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).to.deep.equal([])
  })

  it('links only to headings that exist', () => {
    const links = pages().flatMap((page) => {
      const found = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)
      return Array.from(found, ([, path = '', anchor = '']) => ({
        from: page,
        to: path === '' ? page : normalize(join(dirname(page), path)),
        anchor,
      }))
    })
    expect(links.length).to.be.greaterThan(20)
    expect(links.filter(({ to, anchor }) => !anchorsOf(to).includes(anchor))).to.deep.equal([])
  })

  it('names an existing test for each attack', () => {
    const rows = readFileSync('docs/contribute/attacks.md', 'utf8').match(/^\| (?!Attack |-).*$/gm) ?? []
    expect(rows.length).to.be.greaterThan(25)
    const tests = rows.map((row) => /`(test\/\S+\.test\.ts)`/.exec(row)?.[1] ?? row)
    expect(tests.filter((file) => !existsSync(join(PROJECT, file)))).to.deep.equal([])
  })
})

/** Returns the anchors of a page's headings, as the repository's host generates them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
