import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permissions.js'
import { parsePermissions, readPermissionsFile } from '../../src/configuration/permissions-file.js'
import { errorsOf } from './reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'

function errors(text: string): string[] {
  const outcome = parsePermissions(text)
  return outcome.ok ? [] : outcome.errors.map(({ path, rule }) => `${path} ${rule}`)
}

describe('the permission file', () => {
  it('permits what it says', () => {
    const outcome = parsePermissions(
      '\uFEFF{"roles": {"guest": {"components": {"pets": ["list"]}}, "x": {}}}',
    )
    if (!outcome.ok) throw new Error('refused')
    expect(outcome.permissions.allows({ kind: 'anonymous' }, 'pets', 'list')).to.be.true
    expect(outcome.permissions.allows({ kind: 'anonymous' }, 'pets', 'read')).to.be.false
    expect(outcome.permissions.allows({ kind: 'anonymous' }, 'auth', 'login')).to.be.false
  })

  it('can hold what is built in', () => {
    expect(errors(JSON.stringify(DEFAULT_PERMISSIONS))).to.deep.equal([])
  })

  it('names every fault by its path, at once', () => {
    const text = `{
      "roles": {
        "admin": { "components": { "pets": ["list", "fly"], "moon": [] }, "inherit": ["boss"] },
        "a": { "inherit": ["b"] },
        "b": { "inherit": ["a"] },
        "a": { "inherit": ["b"] }
      }
    }`
    expect(errors(text)).to.deep.equal([
      'roles.a occurs twice',
      'roles.admin.components.pets[1] names the unknown action "fly"; known are *, list, read, create, update, delete',
      'roles.admin.components.moon is an unknown component; known are auth, user, pets, project, user-task, role, session, apikey, audit, store',
      'roles.admin.inherit[0] names the unknown role "boss"',
      'roles.a.inherit is a cycle',
      'roles.b.inherit is a cycle',
    ])
  })

  it('refuses a duplicate key where it is the only fault', () => {
    expect(errors('{"roles": {"user": {"components": {"pets": ["list"], "pets": []}}}}')).to.deep.equal([
      'roles.user.components.pets occurs twice',
    ])
  })

  it('refuses another shape', () => {
    expect(errors('[]')).to.deep.equal([' must be an object'])
    expect(errors('{}')).to.deep.equal(['roles is required'])
    expect(errors('{"roles": {}, "extra": 1}')).to.deep.equal(['extra is an unknown field "extra"'])
    const text =
      '{"roles": {"a": {"inherits": []}, "b": {"components": {"pets": "list"}}, "c": {"inherit": [1]}}}'
    expect(errors(text)).to.deep.equal([
      'roles.a.inherits is an unknown field "inherits" (did you mean "inherit"?)',
      'roles.b.components.pets must be an array',
      'roles.c.inherit[0] must be a string',
    ])
  })

  it('refuses keys that reach a prototype, and leaves it alone', () => {
    const text =
      '{"roles": {"__proto__": {"inherit": []}, "constructor": {}, "a": {"components": {"prototype": []}}}}'
    expect(errors(text)).to.deep.equal([
      'roles.__proto__ is a key that is not allowed',
      'roles.constructor is a key that is not allowed',
      'roles.a.components.prototype is a key that is not allowed',
    ])
    expect({}).not.to.have.property('inherit')
  })

  it('says where it stops being JSON', () => {
    expect(errors('{\n  "roles": {,}\n}')).to.deep.equal([' is not JSON (line 2, column 13)'])
    expect(errors('')).to.have.lengthOf(1)
  })

  describe('on a disk', () => {
    const folder = temporaryFolder()

    it('is read', () => {
      const path = folder('permissions.json')
      writeFileSync(path, JSON.stringify(DEFAULT_PERMISSIONS))
      expect(readPermissionsFile(path).ok).to.be.true
    })

    it('has its faults listed with those of the variables', () => {
      const path = folder('permissions.json')
      writeFileSync(path, '{"roles": {"a": {"inherit": ["b"]}}}')
      expect(errorsOf({ PERMISSIONS_FILE: path, PORT: 'x' })).to.deep.equal([
        'PORT must be an integer from 0 to 65535',
        'PERMISSIONS_FILE: roles.a.inherit[0] names the unknown role "b"',
      ])
    })
  })
})
