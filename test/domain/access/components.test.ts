import { expect } from 'chai'
import fc from 'fast-check'
import { ACTIONS, componentErrors, type Components } from '../../../src/domain/access/components.js'
import { compilePermissions } from '../../../src/domain/access/permissions.js'

const NO_NAME =
  'is not a valid name: names have 1 to 100 letters, digits, dots, underscores or hyphens, and begin with a letter or a digit'

function errorsOf(own: Components): string[] {
  return componentErrors(own).map(({ path, rule }) => `${path} ${rule}`)
}

describe('custom components', () => {
  it('can have any distinct names', () => {
    const own = { invoices: ['list', 'pay'], 'line-items': ['2fa'], v2: ['a.b_C-d', 'a'.repeat(100)] }
    expect(errorsOf(own)).to.deep.equal([])
    expect(errorsOf({})).to.deep.equal([])
  })

  it('cannot have the name of a built-in component', () => {
    for (const component of Object.keys(ACTIONS))
      expect(errorsOf({ [component]: ['mine'] })).to.deep.equal([
        `components.${component} is a built-in component: choose a different name`,
      ])
  })

  it('cannot have a name that would be ambiguous in a permission rule', () => {
    const bad = ['', '*', 'a:b', 'a,b', 'a b', '-a', '.a', '_a', 'ä', 'a\n', 'a'.repeat(101)]
    for (const name of [...bad, 'constructor', 'toString', '__proto__']) {
      const own = JSON.parse(`{${JSON.stringify(name)}: ["list"]}`) as Components
      expect(errorsOf(own), name).to.deep.equal([`components.${name} ${NO_NAME}`])
      expect(errorsOf({ invoices: ['list', name] }), name).to.deep.equal([
        `components.invoices[1] ${NO_NAME}`,
      ])
    }
  })

  it('have at least one action and no duplicate actions', () => {
    expect(errorsOf({ invoices: [], bills: ['a', 'b', 'a', 'a'] })).to.deep.equal([
      'components.invoices must name at least one action',
      'components.bills[2] names the action "a" twice',
      'components.bills[3] names the action "a" twice',
    ])
  })

  it('are checked when permissions are compiled, and their errors are reported with the errors in the rules', () => {
    const compiled = compilePermissions(
      { roles: { user: { inherit: ['nobody'] } } },
      { pets: ['x'], bills: [] },
    )
    expect(compiled.ok ? [] : compiled.errors.map(({ path }) => path)).to.deep.equal([
      'components.pets',
      'components.bills',
      'roles.user.inherit[0]',
    ])
  })

  it('never share a permission between two different actions', () => {
    const name = fc.stringMatching(/^[a-c][a-c._-]{0,2}$/)
    const components = fc.dictionary(name, fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), {
      minKeys: 1,
    })
    fc.assert(
      fc.property(components, (own) => {
        expect(errorsOf(own)).to.deep.equal([])
        const pairs = Object.entries(own).flatMap(([component, actions]) =>
          actions.map((action) => [component, action] as const),
        )
        for (const [component, action] of pairs) {
          const compiled = compilePermissions(
            { roles: { everyone: { components: { [component]: [action] } } } },
            own,
          )
          if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
          const { permissions } = compiled
          const permitted = pairs.filter(([one, other]) => permissions.isPermitted(one, other))
          expect(permitted).to.deep.equal([[component, action]])
        }
      }),
    )
  })
})
