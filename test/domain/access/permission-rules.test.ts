import { expect } from 'chai'
import { ACTIONS } from '../../../src/domain/access/components.js'
import { checkRules, type PermissionRules } from '../../../src/domain/access/permission-rules.js'

function errorsOf(roles: unknown): Record<string, string> {
  const checked = checkRules({ roles } as PermissionRules)
  if (!('errors' in checked)) throw new Error('the rules are valid')
  return Object.fromEntries(checked.errors.map(({ path, rule }) => [path, rule]))
}

describe('checking permission rules', () => {
  it('rejects unknown names and reports the path of each name', () => {
    const errors = errorsOf({
      one: { components: { pets: ['list', 'eat'], dogs: ['list'], constructor: ['x'] } },
      two: { inherit: ['one', 'three', 'toString', 'hasOwnProperty'] },
    })
    expect(Object.keys(errors)).to.have.members([
      ...['roles.one.components.pets[1]', 'roles.one.components.dogs', 'roles.one.components.constructor'],
      ...['roles.two.inherit[1]', 'roles.two.inherit[2]', 'roles.two.inherit[3]'],
    ])
    expect(errors['roles.one.components.pets[1]']).to.contain('"eat"')
    expect(errors['roles.two.inherit[1]']).to.contain('"three"')
  })

  it('rejects names of `Object.prototype` members as roles, components and actions', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const roles = JSON.parse(`{"${name}":{}}`) as object
      expect(errorsOf(roles)).to.deep.equal({ [`roles.${name}`]: 'is not a valid role name' })
      const components = JSON.parse(`{"${name}":["*"]}`) as object
      expect(errorsOf({ one: { components } })).to.have.property(`roles.one.components.${name}`)
      expect(errorsOf({ one: { components: { pets: [name] } } })).to.have.property(
        'roles.one.components.pets[0]',
      )
      expect(errorsOf({ one: { inherit: [name] } })).to.have.property('roles.one.inherit[0]')
    }
  })

  it('rejects an inheritance cycle of any size, with an error for each role in the cycle', () => {
    for (const size of [1, 2, 3, 10]) {
      const roles = Array.from({ length: size }, (_, at) => [`r${at}`, { inherit: [`r${(at + 1) % size}`] }])
      const circle = Object.fromEntries([...roles, ['outside', { inherit: ['r0'] }]]) as object
      expect(Object.values(errorsOf(circle))).to.deep.equal(Array(size).fill('is a cycle'))
      expect(Object.keys(errorsOf(circle))).to.not.include('roles.outside.inherit')
    }
  })

  it('rejects an undeclared or misspelled action of a custom component', () => {
    const misspelt = { roles: { user: { components: { invoice: ['list'], invoices: ['list', 'payy'] } } } }
    const checked = checkRules(misspelt, { invoices: ['list', 'pay'] })
    expect('errors' in checked && checked.errors).to.deep.equal([
      {
        path: 'roles.user.components.invoice',
        rule: `is an unknown component; known are ${Object.keys(ACTIONS).join(', ')}, invoices`,
      },
      {
        path: 'roles.user.components.invoices[1]',
        rule: 'names the unknown action "payy"; known are *, list, pay',
      },
    ])
  })
})
