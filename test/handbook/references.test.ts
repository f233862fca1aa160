import { expect } from 'chai'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'
import { ACTIONS } from '../../src/domain/access/components.js'
import { textOf } from '../support/project.js'

const read = (page: string) => textOf('docs/operate', page)
/** The first cells of each row that begins with code. */
const rowsOf = (page: string, cells: RegExp) =>
  Array.from(read(page).matchAll(cells), (found) => found.slice(1))

describe('the generated references', () => {
  it('list every setting exactly once', () => {
    const shown = rowsOf('settings.md', /^\| `([A-Z_]+)`/gm).flat()
    expect(shown.toSorted()).to.deep.equal(SETTING_NAMES.map((name) => SETTINGS[name].variable).toSorted())
  })

  it('list exactly the existing components and actions', () => {
    const all = Object.entries(ACTIONS).flatMap(([one, actions]) => actions.map((action) => [one, action]))
    expect(rowsOf('permission-reference.md', /^\| `([\w-]+)` +\| `([\w-]+)` +\|/gm)).to.deep.equal(all)
  })
})
