import { expect } from 'chai'
import { createAuthorize, type Authorized } from '../../src/application/access/authorize.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { compilePermissions } from '../../src/domain/access/permissions.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { refusalOf } from '../support/refusal-of.js'
import { DELIVERS, GENEROUS, goodOptions } from './opening.js'

describe('a proof of a permission that a host hands to an open Kennel', () => {
  let kennel: Kennel
  before(async () => {
    kennel = await openKennel(goodOptions({ permissions: GENEROUS, parts: { mailer: DELIVERS } }))
  })
  after(() => kennel.close())

  const read = (input: object) => kennel.readPets({ ids: [], ...input } as never)
  const refused = async (input: object) => {
    const { code, messages } = await refusalOf(read(input))
    return [code, messages.map(({ field, message }) => `${field} ${message}`)]
  }
  const WANTED = ['malformed', ['authorized must be what authorize answered for pets: list']]

  it('is taken in the place of the caller', async () => {
    expect(await read({ authorized: kennel.authorize(OPERATOR, 'pets', 'list') })).to.deep.equal([])
  })

  it('is refused where it is another object with the same members', async () => {
    const { caller, component, action } = kennel.authorize(OPERATOR, 'pets', 'list')
    const forged = { caller, component, action }
    const disguised = Object.create(kennel.authorize(OPERATOR, 'pets', 'list')) as object
    for (const authorized of [forged, disguised, { ...forged, permissions: {} }, null, undefined, 'proof'])
      expect(await refused({ authorized })).to.deep.equal(WANTED)
  })

  it('is refused where it is of another action', async () => {
    const authorized = kennel.authorize(OPERATOR, 'pets', 'read')
    expect(await refused({ authorized })).to.deep.equal(WANTED)
  })

  it('is refused where other permissions judged it, also by its own constructor', async () => {
    const compiled = compilePermissions(GENEROUS)
    if (!compiled.ok) throw new Error('the permissions are wrong')
    const authorized = createAuthorize(compiled.permissions)(OPERATOR, 'pets', 'list')
    const Made = authorized.constructor as new (...args: unknown[]) => Authorized
    const made = new Made(compiled.permissions, OPERATOR, 'pets', 'list')
    for (const foreign of [authorized, made])
      expect(await refused({ authorized: foreign })).to.deep.equal(WANTED)
  })

  it('is refused beside a caller, and where operators ask, who have none', async () => {
    const authorized = kennel.authorize(OPERATOR, 'pets', 'list')
    expect(await refused({ authorized, caller: OPERATOR })).to.deep.equal([
      'malformed',
      ['caller cannot be given together with authorized'],
    ])
    const input = { authorized: kennel.authorize(OPERATOR, 'role', 'list') }
    const { code, messages } = await refusalOf(kennel.listRoles(input as never))
    expect([code, messages.map(({ message }) => message)]).to.deep.equal([
      'malformed',
      ['required', 'unknown field "authorized"'],
    ])
  })

  it('cannot be made to tell of another caller', () => {
    const authorized = kennel.authorize(OPERATOR, 'pets', 'list')
    expect(() => Object.assign(authorized, { caller: { kind: 'anonymous' } })).to.throw(TypeError)
  })
})
