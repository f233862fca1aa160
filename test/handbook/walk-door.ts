import { basename } from 'node:path'
import { pagesOf, type Door } from './page.js'
import { follow } from './follow.js'

/** Pages that a test of their own follows, since they need what not every machine has: a proxy, MongoDB, Go. */
export const FOLLOWED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/http/verify-in-go.md': 'other-languages.test.ts',
  'docs/http/verify-in-python.md': 'other-languages.test.ts',
  'docs/operate/backup.md': 'operate-with-tools.test.ts',
  'docs/operate/tls-proxy.md': 'operate-with-tools.test.ts',
  'docs/operate/mongodb.md': 'operate-with-tools.test.ts',
  'docs/operate/mongodb-failover.md': 'operate-with-tools.test.ts',
}

/**
 * A test for each page of a door that has something to type: as it stands, twice, also in a folder with a blank. Where
 * they are many several files have those whose names begin alike.
 */
export function walkDoor(door: Door, named = /^/): void {
  describe(`the handbook, docs/${door}`, () => {
    const pages = pagesOf(door).filter(
      ({ path, steps }) => named.test(basename(path)) && steps.some(({ kind }) => kind === 'walk'),
    )
    for (const page of pages.filter(({ path }) => !Object.hasOwn(FOLLOWED_ELSEWHERE, path))) {
      // Both at once: the processes of one page leave most of a machine idle.
      it(`${page.path} does what it says, twice, in another folder too`, () =>
        Promise.all([follow(page, 'kennel'), follow(page, 'another folder')]))
    }
  })
}
