import { expect } from 'chai'
import { ACTIONS } from '../../src/domain/access/components.js'
import { checkRules, DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { textOf } from '../support/project.js'

const read = (page: string) => textOf('docs/operate', page)
const rowsOf = (page: string, cells: RegExp) =>
  Array.from(read(page).matchAll(cells), (found) => found.slice(1))

const checked = checkRules(DEFAULT_PERMISSIONS)
const rules = 'byRole' in checked ? [...checked.byRole] : expect.fail('the built-in permissions are valid')

/** Returns the roles that have an action in the built-in file, including roles that inherit it. */
const rolesWith = (component: string, action: string) =>
  rules.flatMap(([role, permitted]) =>
    permitted.some(([permission]) => permission === `${component}:${action}`) ? [`\`${role}\``] : [],
  )

describe('the references', () => {
  it('list exactly the existing components and actions, each with its roles in the built-in file', () => {
    const all = Object.entries(ACTIONS).flatMap(([one, actions]) =>
      actions.map((action) => [one, action, rolesWith(one, action).join(', ')]),
    )
    const rows = /^\| `([\w-]+)` +\| `([\w-]+)` +\|.*\| (.*?) +\|$/gm
    expect(rowsOf('permission-reference.md', rows)).to.deep.equal(all)
  })
})
