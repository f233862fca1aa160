import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { refusalOf } from '../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../support/use-cases.js'

const caller = OPERATOR
const email = 'ada@example.com'

type Deed = (useCases: Composed['useCases']) => Promise<unknown>

/**
 * Operator actions, each with the event and target of its audit record, or with neither if the action changes nothing.
 */
const DEEDS: readonly (readonly [deed: Deed, event?: string, target?: string])[] = [
  [({ createUser }) => createUser({ caller, email, password: PASSWORD }), 'user.create', 'account:1'],
  [({ createRole }) => createRole({ caller, key: 'editor', label: 'Editor' })],
  [({ assignRole }) => assignRole({ caller, email, role: 'editor' }), 'role.assign', 'account:1 role:editor'],
  [({ assignRole }) => assignRole({ caller, email, role: 'editor' })],
  [
    ({ assignRole }) => assignRole({ caller, email, role: 'editor', remove: true }),
    ...(['role.remove', 'account:1 role:editor'] as const),
  ],
  [({ deleteRole }) => deleteRole({ caller, key: 'editor' })],
  [({ createApiKey }) => createApiKey({ caller, name: 'billing', roles: [] }), 'apikey.create', 'apikey:1'],
  [({ revokeApiKey }) => revokeApiKey({ caller, id: '1' }), 'apikey.revoke', 'apikey:1'],
  [({ revokeSessions }) => revokeSessions({ caller, email }), 'session.revoke', 'account:1'],
  [({ disableUser }) => disableUser({ caller, email }), 'user.disable', 'account:1'],
  [({ enableUser }) => enableUser({ caller, email }), 'user.enable', 'account:1'],
  [({ unlockUser }) => unlockUser({ caller, email }), 'user.unlock', 'account:1'],
  [({ changeUserEmail }) => changeUserEmail({ caller, email, newEmail: email }), 'user.email', 'account:1'],
  [
    ({ setPassword }) => setPassword({ caller, email, password: 'a new password' }),
    'password.set',
    'account:1',
  ],
  [
    ({ setAllPasswords }) => setAllPasswords({ caller, password: () => PASSWORD }),
    'password.set',
    'account:1',
  ],
  [({ importUsers }) => importUsers({ caller })({ email: 'bob@example.com' }), 'user.import', '-'],
  [({ importUsers }) => importUsers({ caller })({ email })],
  [({ deleteUser }) => deleteUser({ caller, email }), 'user.delete', 'account:1'],
]

describe('an action of an operator', () => {
  it('is audited with its target unless the action changes nothing', async () => {
    const kennel = await composeUseCases()
    for (const [deed, event, target] of DEEDS) {
      await deed(kennel.useCases)
      const record = `${event} cli:tester ${target} success`
      expect(await kennel.audited()).to.deep.equal(event === undefined ? [] : [record])
    }
  })

  it('is not audited if the action is refused or its result is not saved', async () => {
    const kennel = await composeUseCases()
    const { useCases } = kennel
    await kennel.account(email)
    await kennel.audited()
    const [unknown, user] = ['eve@example.com', await kennel.caller(email)]
    const attempts = [
      () => useCases.createUser({ caller, email, password: PASSWORD }),
      () => useCases.createUser({ caller, email: unknown, password: 'short' }),
      () => useCases.setPassword({ caller, email, password: 'short' }),
      () => useCases.setPassword({ caller, email: unknown, password: PASSWORD }),
      () => useCases.assignRole({ caller, email, role: 'unknown' }),
      () => useCases.revokeApiKey({ caller, id: '99' }),
      () => useCases.createApiKey({ caller, name: 'two\nlines', roles: [] }),
      () => useCases.deleteUser({ caller, email: unknown }),
      () => useCases.deleteUser({ caller: user, email }),
      () => useCases.revokeSessions({ caller: user, email }),
      () => useCases.createApiKey({ caller: user, name: 'billing', roles: [] }),
    ]
    for (const attempt of attempts) await refusalOf(attempt())
    expect(await kennel.audited()).to.deep.equal([])
  })
})
