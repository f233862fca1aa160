import { expect } from 'chai'
import { ACTIONS } from '../../src/domain/access/components.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permission-rules.js'
import { textOf } from '../support/project.js'

const read = (page: string) => textOf('docs/operate', page)
const rowsOf = (page: string, cells: RegExp) =>
  Array.from(read(page).matchAll(cells), (found) => found.slice(1))

/** Returns the roles that have an action in the built-in file, including roles that inherit it. */
function rolesWith(component: string, action: string): string[] {
  const rules: PermissionRules = DEFAULT_PERMISSIONS
  const permits = (role: string): boolean => {
    const { components = {}, inherit = [] } = rules.roles[role] ?? {}
    const actions = components[component] ?? []
    return actions.includes('*') || actions.includes(action) || inherit.some(permits)
  }
  return Object.keys(rules.roles).filter(permits)
}

describe('the references', () => {
  it('list exactly the existing components and actions, each with its roles in the built-in file', () => {
    const all = Object.entries(ACTIONS).flatMap(([one, actions]) =>
      actions.map((action) => [
        one,
        action,
        rolesWith(one, action)
          .map((role) => `\`${role}\``)
          .join(', '),
      ]),
    )
    const rows = /^\| `([\w-]+)` +\| `([\w-]+)` +\|.*\| (.*?) +\|$/gm
    expect(rowsOf('permission-reference.md', rows)).to.deep.equal(all)
  })
})
