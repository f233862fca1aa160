import { expect } from 'chai'
import { IDENTITY } from '../../../src/application/identity/operations.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import type { PermissionRules } from '../../../src/domain/access/permission-rules.js'
import { permitting } from '../../support/permissions.js'
import { wordsOf, codeOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'
import { watching } from '../../support/watched-store.js'

type Name = keyof typeof IDENTITY
type Call = (input: object) => Promise<unknown>

const EMAIL = 'ada@example.com'
const BARE: readonly string[] = [
  ...(['getIdentity', 'logout', 'readSecondFactor'] as const),
  ...(['beginPasskey', 'listPasskeys', 'beginPasskeyConfirmation'] as const),
] satisfies readonly Name[]
/** Operations that need no login. */
const OPEN: readonly string[] = [
  'login',
  'requestPasswordReset',
  'consumeResetToken',
  ...(['requestSignUp', 'confirmSignUp', 'requestLoginMail', 'confirmLoginMail'] as const),
  ...(['beginPasskeyLogin', 'loginWithPasskey'] as const),
] satisfies readonly Name[]

/** Operations that validate the form before they read a session. */
const ONLY_TOKEN: readonly string[] = [
  ...(['login', 'refresh', 'confirmLoginMail', 'beginPasskeyLogin', 'loginWithPasskey'] as const),
] satisfies readonly Name[]

/** Operations that check the permissions of an email proof's account; `change-email.test.ts` tests them. */
const PROVEN: readonly string[] = ['confirmEmailChange', 'undoEmailChange'] satisfies readonly Name[]

const NO_RESPONSE = { id: 7, rawId: {}, type: null, response: { clientDataJSON: 7, signature: 7 } }
const MEMBERS = ['id', 'rawId', 'type', 'response.clientDataJSON', 'response.signature'].map(
  (member) => `credential.${member}`,
)

/** Operations whose permission cannot have a condition. */
const UNCONDITIONAL: readonly string[] = [
  ...(['getIdentity', 'refresh', 'logout', 'logoutAs', 'confirmLogin', 'beginPasskeyConfirmation'] as const),
] satisfies readonly Name[]

/** For each operation with a form: a form whose values have wrong types, and the fields that the error names. */
const WRONG_FORMS = {
  login: [{ email: 7, password: {}, code: [] }, 'email', 'password', 'code'],
  refresh: [{ refreshToken: 7 }, 'refreshToken'],
  deleteAccount: [{ password: null, code: 492_039 }, 'password', 'code'],
  consumeResetToken: [{ email: 7, resetToken: 7, password: 7 }, 'email', 'resetToken', 'password'],
  addPasskey: [{ credential: NO_RESPONSE, name: 7 }, ...MEMBERS, 'name'],
  loginAs: [{ userId: 2, code: 7 }, 'code'],
} as const satisfies Readonly<Partial<Record<Name, readonly [form: object, ...fields: string[]]>>>

/**
 * Lets everyone perform all actions on identities except this action; only administrators may act as another account.
 */
function allBut(action: string): PermissionRules {
  const auth = ACTIONS.auth.filter((one) => one !== action && one !== 'login-as')
  return permitting({
    everyone: { components: { auth, user: ['find'] } },
    user: { components: {} },
    admin: { components: { auth: ['login-as'] } },
  })
}

describe('an identity operation', () => {
  let kennel: Composed
  let refreshToken: string
  let presented: object
  let acting: object
  const storeCalls: string[] = []

  const inputOf = (name: Name, form: object = {}, credentials = presented): object =>
    BARE.includes(name) ? credentials : { ...form, presented: credentials }
  const call = async (name: Name, input: object, { useCases } = kennel) =>
    await (useCases[name] as Call)(input)
  const watched = watching(async (name, run) => {
    storeCalls.push(name)
    return await run()
  })
  /** Creates use cases for the same accounts and logins, with different permissions. */
  const composed = (permissions: PermissionRules) =>
    composeUseCases({ mode: 'stateful', passkeys: true, store: watched(kennel.store), permissions })
  /** Creates use cases with permissions for everything but this operation. */
  const without = (name: Name) => composed(allBut(IDENTITY[name].permission[1]))
  const permitted = () =>
    composed(permitting({ everyone: { components: { auth: ACTIONS.auth, user: ['find'] } } }))

  beforeEach(async () => {
    storeCalls.length = 0
    kennel = await composeUseCases({ mode: 'stateful', passkeys: true })
    await kennel.account(EMAIL)
    await kennel.account('boss@example.com', ['admin'])
    const issued = await kennel.login(EMAIL)
    presented = presentedBy(issued)
    ;({ refreshToken } = issued)
    const boss = presentedBy(await kennel.login('boss@example.com'))
    acting = presentedBy(await kennel.useCases.loginAs({ userId: 1, presented: boss }))
  })

  it('rejects a caller without the permission, and does not read the store first if the operation needs no login', async () => {
    const forms: Readonly<Partial<Record<Name, object>>> = {
      login: { email: EMAIL, password: PASSWORD },
      requestPasswordReset: { email: EMAIL },
      consumeResetToken: { email: EMAIL, resetToken: 'token', password: PASSWORD },
      refresh: { refreshToken },
      loginAs: { userId: 2 },
    }
    const names = (Object.keys(IDENTITY) as Name[]).filter((name) => !PROVEN.includes(name))
    expect(names).to.include('login')
    for (const name of names) {
      const [component, action] = IDENTITY[name].permission
      const credentials = name === 'logoutAs' ? acting : presented
      const restricted = await without(name)
      storeCalls.length = 0
      const answer = call(name, inputOf(name, forms[name], credentials), restricted)
      expect(await wordsOf(answer), name).to.match(
        new RegExp(`^(forbidden|unauthenticated) .*\\(${component}: ${action} is not permitted\\)$`),
      )
      if (OPEN.includes(name)) expect(storeCalls, name).to.deep.equal([])
    }
  })

  it('rejects a login that does not meet the condition of the permission', async () => {
    const others = [...OPEN, ...PROVEN, ...UNCONDITIONAL]
    const names = (Object.keys(IDENTITY) as Name[]).filter((name) => !others.includes(name))
    expect(names).to.include('listOwnSessions')
    for (const name of names) {
      const auth = ['confirm', { [IDENTITY[name].permission[1]]: { fresh: 60_000 } }]
      const careful = await composed(permitting({ user: { components: { auth } } }))
      careful.clock.now += 60_001
      expect(await wordsOf(call(name, inputOf(name), careful)), name).to.match(/^fresh-login-required /)
    }
  })

  for (const [operation, [form, ...fields]] of Object.entries(WRONG_FORMS)) {
    const name = operation as Name
    it(`reports each field that has the wrong type, after checking the credentials and the permission: ${name}`, async () => {
      const credentials = { ...presented, accessToken: 'no token' }
      expect(await wordsOf(call(name, inputOf(name, form, credentials)))).to.match(/^invalid-token /)
      const words = fields.map((field) => `${field} Format: must be a string`)
      const refusal = await wordsOf(call(name, inputOf(name, form), await permitted()))
      expect(refusal).to.equal(['malformed', ...words].join(' | '))
      if (ONLY_TOKEN.includes(name)) expect(storeCalls).to.deep.equal([])
      else if (OPEN.includes(name)) expect(storeCalls).to.deep.equal(['sessions.find'])
      else expect(await wordsOf(call(name, inputOf(name, form, {})))).to.match(/^unauthenticated /)
      // The refresh token in the form identifies the caller.
      if (name !== 'refresh')
        expect(await wordsOf(call(name, inputOf(name, form), await without(name)))).to.match(
          /^(?:forbidden|unauthenticated) /,
        )
    })
  }

  it('also checks the numbers and booleans in a form', async () => {
    for (const [name, form, words] of [
      ['endOwnSessions', { others: 'true' }, 'others Format: must be true or false'],
      ['loginAs', { userId: undefined }, 'userId Required: required'],
      ...[null, 0, -1, 1.5, '2', 2 ** 53].map(
        (userId) => ['loginAs', { userId }, 'userId Format: must be a positive integer'] as const,
      ),
    ] as const)
      expect(await wordsOf(call(name, inputOf(name, form), await permitted()))).to.equal(
        `malformed | ${words}`,
      )
  })
})

const NO_SESSIONS = 'This service stores no sessions. | (stateless mode)'
const CANNOT_ACT =
  'Acting as another account is not possible here. | (stateless mode without STATELESS_REVOCATION=store)'

describe('an operation that stateless mode does not support', () => {
  for (const [name, words] of [
    ['listOwnSessions', NO_SESSIONS],
    ['endOwnSessions', NO_SESSIONS],
    ['loginAs', CANNOT_ACT],
    ['logoutAs', CANNOT_ACT],
  ] as const)
    it(`rejects every login as forbidden, and rejects invalid credentials as in other modes: ${name}`, async () => {
      const { useCases, account, login, audited } = await composeUseCases({ mode: 'stateless' })
      await account('boss@example.com', ['admin'])
      const presented = presentedBy(await login('boss@example.com'))
      await audited()
      const call = useCases[name] as (input: object) => Promise<unknown>
      expect(await wordsOf(call({ presented, userId: 2, others: true }))).to.equal(
        `forbidden | Forbidden: ${words}`,
      )
      expect(await codeOf(call({ presented: {} }))).to.equal('unauthenticated')
      const forged = call({ presented: { accessToken: 'no token' } })
      expect(await codeOf(forged)).to.equal('invalid-token')
      expect(await audited()).to.deep.equal([])
    })
})
