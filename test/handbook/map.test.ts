import { basename } from 'node:path'
import { expect } from 'chai'
import { filesOf, textOf } from '../support/project.js'
import { SECTIONS, pagesOf, readPage } from './page.js'
import { HOSTS, STARTS } from './starts.js'
import { FOLLOWED_ELSEWHERE } from './walk-section.js'

const LONGEST = 900
/** The page has one line for each other page, so its length depends on the number of pages. */
const MAP = 'docs/README.md'
/** Returns the lines with links from both tables of contents. */
const lines = () => [MAP, 'CONTRIBUTING.md'].flatMap((map) => textOf(map).match(/^- \[.*$/gm) ?? [])
const linked = () =>
  lines().flatMap((line) => (/\]\((?:docs\/)?((?!docs\/)[a-z]+\/[\w-]+\.md)\)/.exec(line) ?? []).slice(1))
const all = () => SECTIONS.flatMap(pagesOf)
/** Pages that guide a reader through a task. */
const tasks = () => all().filter(({ start }) => start !== undefined)
/** Blocks that other tests check. */
const CHECKED_ELSEWHERE = ['mermaid', 'sh host', 'sh container', 'sh mongodb', 'text law', 'ts']

describe('the table of contents of the handbook', () => {
  it('links to every page from exactly one section', () => {
    expect(linked().toSorted()).to.deep.equal(
      all()
        .map(({ path }) => path.replace(/^docs\//, ''))
        .toSorted(),
    )
  })
})

describe('a page of the handbook', () => {
  it('is short, unless it is the table of contents or a generated page', () => {
    const pages = filesOf('docs').filter((file) => file.endsWith('.md') && file !== MAP)
    expect(pages).to.include.members(all().map(({ path }) => path))
    expect(pages).to.have.length.above(all().length + 20)
    const long = pages.map(readPage).filter(({ words, isGenerated }) => !isGenerated && words > LONGEST)
    expect(long.map(({ path, words }) => `${path}: ${words} words`)).to.deep.equal([])
  })

  it('states a known starting point if it contains commands', () => {
    const typed = all().filter(({ steps }) =>
      steps.some(({ kind }) => ['walk', 'file', 'output'].includes(kind)),
    )
    const isKnown = (start = '') => Object.hasOwn(STARTS, start) || HOSTS.includes(start)
    const unknown = [...typed, ...tasks()].filter(({ start }) => !isKnown(start))
    expect(unknown.map(({ path, start }) => `${path}: ${start ?? 'says nothing'}`)).to.deep.equal([])
  })

  it('shows the expected output, and explains possible problems', () => {
    const silent = tasks().filter(({ text, steps }) => {
      const isFollowed = steps.some(({ kind }) => kind === 'walk')
      return (
        !text.includes('\n## If something goes wrong\n') ||
        (isFollowed && !steps.some(({ kind }) => kind === 'output'))
      )
    })
    expect(silent.map(({ path }) => path)).to.deep.equal([])
  })

  it('contains only blocks that a test runs or checks', () => {
    const idle = all().flatMap(({ path, steps }) =>
      steps.flatMap((step) =>
        step.kind === 'other' && !CHECKED_ELSEWHERE.includes(step.language)
          ? [`${path}: ${step.language}`]
          : [],
      ),
    )
    expect(idle).to.deep.equal([])
  })

  it('is tested by the listed test if it needs more than Node.js', () => {
    const named = Object.entries(FOLLOWED_ELSEWHERE).map(([path, file]) => {
      const text = textOf('test/handbook', file)
      return { path, isFollowed: text.includes(`'${path}'`) || text.includes(`'${basename(path, '.md')}'`) }
    })
    expect(named.filter(({ isFollowed }) => !isFollowed)).to.deep.equal([])
    const paths = all().map(({ path }) => path)
    expect(named.filter(({ path }) => !paths.includes(path))).to.deep.equal([])
  })
})
