import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { refusalOf } from '../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../support/use-cases.js'

const caller = OPERATOR
const email = 'ada@example.com'

/** Actions of an operator and their audit records; an empty record means that nothing changed. */
const DEEDS: readonly (readonly [deed: (kennel: Composed) => Promise<unknown>, record: string])[] = [
  [
    ({ useCases }) => useCases.createUser({ caller, email, password: PASSWORD }),
    'user.create cli:tester account:1 success',
  ],
  [({ useCases }) => useCases.createRole({ caller, key: 'editor', label: 'Editor' }), ''],
  [
    ({ useCases }) => useCases.assignRole({ caller, email, role: 'editor' }),
    'role.assign cli:tester account:1 role:editor success',
  ],
  [({ useCases }) => useCases.assignRole({ caller, email, role: 'editor' }), ''],
  [
    ({ useCases }) => useCases.assignRole({ caller, email, role: 'editor', remove: true }),
    'role.remove cli:tester account:1 role:editor success',
  ],
  [({ useCases }) => useCases.deleteRole({ caller, key: 'editor' }), ''],
  [
    ({ useCases }) => useCases.createApiKey({ caller, name: 'billing', roles: [] }),
    'apikey.create cli:tester apikey:1 success',
  ],
  [({ useCases }) => useCases.revokeApiKey({ caller, id: '1' }), 'apikey.revoke cli:tester apikey:1 success'],
  [
    ({ useCases }) => useCases.revokeSessions({ caller, email }),
    'session.revoke cli:tester account:1 success',
  ],
  [({ useCases }) => useCases.disableUser({ caller, email }), 'user.disable cli:tester account:1 success'],
  [({ useCases }) => useCases.enableUser({ caller, email }), 'user.enable cli:tester account:1 success'],
  [({ useCases }) => useCases.unlockUser({ caller, email }), 'user.unlock cli:tester account:1 success'],
  [
    ({ useCases }) => useCases.changeUserEmail({ caller, email, newEmail: email }),
    'user.email cli:tester account:1 success',
  ],
  [
    ({ useCases }) => useCases.setPassword({ caller, email, password: `${PASSWORD} again` }),
    'password.set cli:tester account:1 success',
  ],
  [
    ({ useCases }) => useCases.setAllPasswords({ caller, password: () => PASSWORD }),
    'password.set cli:tester account:1 success',
  ],
  [
    ({ useCases }) => useCases.importUsers({ caller })({ email: 'bob@example.com' }),
    'user.import cli:tester - success',
  ],
  [({ useCases }) => useCases.importUsers({ caller })({ email }), ''],
  [({ useCases }) => useCases.deleteUser({ caller, email }), 'user.delete cli:tester account:1 success'],
]

describe('an action of an operator', () => {
  it('is audited with its target unless the action changes nothing', async () => {
    const kennel = await composeUseCases()
    for (const [deed, record] of DEEDS) {
      await deed(kennel)
      expect(await kennel.audited()).to.deep.equal(record === '' ? [] : [record])
    }
  })

  it('is not audited if the action is refused or not saved', async () => {
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
