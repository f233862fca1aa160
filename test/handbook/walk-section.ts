import { basename } from 'node:path'
import { rotating } from '../support/rotation.js'
import { follow, FOLDERS } from './follow.js'
import { pagesOf, type Section } from './page.js'

/** Pages whose commands are run by separate tests, because the pages need tools that not every machine has: a proxy, MongoDB, Go. */
export const FOLLOWED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/http/administration.md': 'other-languages.test.ts',
  'docs/http/log-in-from-python.md': 'other-languages.test.ts',
  'docs/http/verify-in-go.md': 'other-languages.test.ts',
  'docs/http/verify-in-python.md': 'other-languages.test.ts',
  'docs/embed/orders-in-postgresql.md': 'operate-with-tools.test.ts',
  'docs/operate/backup.md': 'operate-with-tools.test.ts',
  'docs/operate/tls-proxy.md': 'operate-with-tools.test.ts',
  'docs/operate/postgresql.md': 'operate-with-tools.test.ts',
  'docs/operate/postgresql-failover.md': 'operate-with-tools.test.ts',
  'docs/operate/mongodb.md': 'operate-with-tools.test.ts',
  'docs/operate/mongodb-failover.md': 'operate-with-tools.test.ts',
}

/** `npm run near` passes the changed files in this variable, so that only their pages are tested. */
const CHANGED = process.env['HANDBOOK_PAGES']?.split(' ')

/**
 * Adds one test for each page with commands in the section. The test runs the commands of the unchanged page twice, in every kind of
 * folder. CI runs a third of these pages. A section with many pages has several test files, split by the first letters of the pages.
 */
export function walkSection(section: Section, named = /^/): void {
  describe(`the handbook, docs/${section}`, () => {
    const pages = pagesOf(section).filter(
      ({ path, steps }) =>
        named.test(basename(path)) &&
        steps.some(({ kind }) => kind === 'walk') &&
        (CHANGED?.includes(path) ?? true) &&
        !Object.hasOwn(FOLLOWED_ELSEWHERE, path),
    )
    for (const page of rotating(pages, Math.ceil(pages.length / 3))) {
      // Uses the folders concurrently, because one page's processes leave most of a machine idle.
      it(`${page.path} works, twice in a row, in ${FOLDERS.join(' and ')}`, () =>
        Promise.all(FOLDERS.map((folder) => follow(page, folder))))
    }
  })
}
