import { expect } from 'chai'
import { createAuthorize } from '../../../src/application/access/authorize.js'
import { ADMINISTRATION, PETS, PROJECTS } from '../../../src/application/operations.js'
import { ANONYMOUS, type Caller } from '../../../src/domain/access/caller.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../support/logins.js'
import { compiledPermissions } from '../../support/permissions.js'
import { refusalOf as refusedBy } from '../../support/refusal-of.js'

const MINUTE = 60_000

describe('authorize', () => {
  it('refuses every operator action during an impersonation, and no other action', () => {
    const components = Object.fromEntries(Object.keys(ACTIONS).map((component) => [component, ['*']]))
    const permissions = compiledPermissions({ roles: { everyone: { components } } })
    const login = { kind: 'account', accountId: ADA.id, email: ADA.email, roles: [], actor: ACTOR } as const
    const ask = (permission: readonly [component: string, action: string]) =>
      createAuthorize(permissions)(login, ...(permission as ['pets', 'read']))
    for (const [name, { permission }] of Object.entries(ADMINISTRATION))
      expect(() => ask(permission), name).to.throw('not possible while you are acting as another account')
    for (const { permission } of Object.values({ ...PETS, ...PROJECTS }))
      expect(ask(permission)).to.include({ caller: login })
    expect(Object.keys(permissions.of(login))).to.deep.equal(['auth', 'pets', 'project'])
  })

  it('refuses a permission whose condition the caller does not meet', async () => {
    const condition = { components: { pets: [{ delete: { fresh: MINUTE } }], auth: ['confirm'] } }
    const [permissions, clock] = [compiledPermissions({ roles: { everyone: condition } }), () => AT + MINUTE]
    const conditional = createAuthorize(permissions, clock)
    const refusalWith = (call: () => unknown) => refusedBy(Promise.resolve().then(call))
    const refusalOf = async (caller: Caller) =>
      (await refusalWith(() => conditional(caller, 'pets', 'delete'))).code
    const { accountId, sessionId } = { accountId: ADA.id, sessionId: SESSION_ID }
    const login = { kind: 'account', accountId, email: ADA.email, roles: [], sessionId } as const
    expect(conditional({ ...login, proved: { at: AT } }, 'pets', 'delete').action).to.equal('delete')
    expect(await refusalOf({ ...login, proved: { at: AT - 1 } })).to.equal('fresh-login-required')
    const offered = createAuthorize(permissions, clock, true)
    for (const [more, fields] of [
      [{}, ['password', 'passkey']],
      [{ hasPassword: false }, ['passkey']],
    ] as const) {
      const stale = { ...login, ...more, proved: { at: AT - 1 } }
      const refusal = await refusalWith(() => offered(stale, 'pets', 'delete'))
      expect(refusal.messages.map(({ field }) => field)).to.deep.equal(fields)
    }
    expect(await refusalOf({ ...login, proved: { at: AT }, actor: ACTOR })).to.equal('forbidden')
    expect(await refusalOf({ kind: 'api-key', apiKeyId: 3, roles: [] })).to.equal('forbidden')
    expect(await refusalOf(ANONYMOUS)).to.equal('unauthenticated')
  })
})
