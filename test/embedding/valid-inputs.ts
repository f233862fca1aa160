import type { Inputs } from '../../src/embedding/inputs.js'
import type { Kennel } from '../../src/index.js'
import type { FieldError, Parser } from '../../src/application/fields.js'
import { IDENTITY } from '../../src/application/identity/operations.js'
import { OPERATIONS } from '../../src/application/operations.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { PetName } from '../../src/domain/catalogue/pet.js'

export type MethodName = keyof Inputs | 'ready' | 'sessionCookie.set' | 'sessionCookie.read'

export const PASSWORD = 'a long enough password'

const caller = OPERATOR

/** A response of a passkey that no account has. */
const RESPONSE = {
  ...{ id: 'AQ', rawId: 'AQ', type: 'public-key' },
  response: {
    clientDataJSON: Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: 'AQ' })).toString(
      'base64url',
    ),
    ...{ attestationObject: 'AQ', authenticatorData: 'AQ', signature: 'AQ', userHandle: null },
    transports: ['usb'],
  },
}

export async function populate(kennel: Kennel): Promise<void> {
  for (const email of ['rex@pets.example', 'boss@pets.example', 'mia@pets.example'])
    await kennel.createUser({ caller, email, password: PASSWORD })
  await kennel.createRole({ caller, key: 'admin', label: 'Administrator' })
  await kennel.assignRole({ caller, email: 'boss@pets.example', role: 'admin' })
  // The calls below remove only the first pet.
  for (const name of ['Rex', 'Tom']) await kennel.createPet({ caller, draft: { name: name as PetName } })
}

/**
 * Returns valid arguments for every method, with the credentials of a separate session. Operations that are not listed here take a
 * caller and perhaps an email; identity operations take only credentials.
 */
export async function validAsks(kennel: Kennel): Promise<Record<MethodName, unknown[]>> {
  const client = { address: '192.0.2.7', requestId: 'request-1', userAgent: 'node' }
  const email = 'rex@pets.example'
  const issued = await kennel.login({
    email: 'boss@pets.example',
    password: PASSWORD,
    presented: { client: client },
  })
  const { accessToken, refreshToken, sessionKey, identity } = issued
  const presented = { accessToken, sessionKey, client }
  const actor = { accountId: 3, email: 'mia@pets.example', epoch: 1, endsAt: 1 }
  const person = { ...identity, actor }
  const program = { kind: 'api-key', apiKeyId: 1, roles: identity.roles }
  const bySession = { createdAt: 0, id: 'x' }
  const newEmail = 'invited@pets.example'
  const proof = { token: 'x', code: 'x', browserSecret: 'x', presented }
  const asks: Partial<Record<MethodName, unknown[]>> = {
    authorize: [person, 'pets', 'list'],
    checkAccessToken: [accessToken, { expired: 'accepted' }],
    identify: [
      { headers: { 'x-authorization': `Bearer ${accessToken}`, cookie: `__Host-sid=${sessionKey}` } },
      client,
      { apiKeys: true },
    ],
    identifyPage: [{ cookie: `a=b; __Host-sid=${sessionKey}`, method: 'HEAD' }, client],
    authenticate: [presented],
    getIdentity: [presented],
    login: [{ email, password: PASSWORD, code: '123456', passkey: RESPONSE, browserSecret: 'x', presented }],
    refresh: [{ refreshToken, presented: { sessionKey, client } }],
    changePassword: [{ password: 'none', newPassword: 'the stable door', presented }],
    requestSignUp: [{ email: newEmail, challenge: 'x', browserSecret: 'x', presented }],
    confirmSignUp: [{ ...proof, password: PASSWORD }],
    requestEmailChange: [{ email: newEmail, password: PASSWORD, browserSecret: 'x', presented }],
    confirmEmailChange: [proof],
    undoEmailChange: [{ token: 'x', presented }],
    requestLoginMail: [{ email, browserSecret: 'x', presented }],
    confirmLoginMail: [{ ...proof, secondFactor: '123456' }],
    inviteUser: [{ caller, email: newEmail, roles: ['admin'] }],
    sendInvitation: [{ caller, id: 'x' }],
    revokeInvitation: [{ caller, id: 'x' }],
    listOwnSessions: [{ presented, limit: 20, after: bySession }],
    endOwnSessions: [{ others: true, presented }],
    readSecondFactor: [{ accessToken, sessionKey, client }],
    setUpSecondFactor: [{ password: PASSWORD, presented }],
    confirmSecondFactor: [{ code: '123456', presented }],
    removeSecondFactor: [{ password: PASSWORD, code: '123456', presented }],
    renewRecoveryCodes: [{ password: PASSWORD, code: '123456', presented }],
    loginAs: [{ userId: 3, code: '123456', presented }],
    logout: [{ accessToken, sessionKey, client }],
    deleteAccount: [{ password: 'not the one', presented }],
    confirmLogin: [{ password: PASSWORD, code: '123456', passkey: RESPONSE, presented }],
    beginPasskey: [{ accessToken, sessionKey, client }],
    addPasskey: [{ credential: RESPONSE, name: 'a phone', presented }],
    listPasskeys: [{ accessToken, sessionKey, client }],
    renamePasskey: [{ id: 'x', name: 'a phone', presented }],
    removePasskey: [{ id: 'x', presented }],
    beginPasskeyLogin: [{ browserSecret: 'x', presented }],
    loginWithPasskey: [{ credential: RESPONSE, browserSecret: 'x', remember: true, presented }],
    beginPasskeyConfirmation: [{ accessToken, sessionKey, client }],
    exportAccount: [{ password: PASSWORD, code: '123456', presented }],
    requestPasswordReset: [{ email, presented: { client } }],
    consumeResetToken: [{ email, resetToken: 'none', password: PASSWORD, presented: { client } }],
    authenticateApiKey: ['kennel_none'],
    permissionsOf: [person],
    authenticatePetClient: [{ basic: { email, password: PASSWORD } }],
    createPet: [
      { caller: program, draft: { name: 'Rex', tag: 'dog', category: 'One' }, idempotencyKey: 'k' },
    ],
    listPets: [{ caller: person, limit: 20, after: 1 }],
    readPet: [{ caller, id: 1 }],
    readPets: [{ caller: person, ids: [2, 1] }],
    patchPet: [{ caller, id: 1, change: { kind: 'cat', age: 3, hunts: true }, expected: [1, 2] }],
    createProject: [{ caller: person, label: 'Kennel', status: 'open', budget: 10 }],
    listProjects: [{ caller: person, limit: 20, after: 1 }],
    readProject: [{ caller: person, id: 1 }],
    closeProject: [{ caller: person, id: 1 }],
    removePet: [{ caller, id: 1, expected: [1, 2, 3] }],
    createUser: [{ caller, email: 'new@pets.example', password: 'x', anyLength: true, roles: ['admin'] }],
    setPassword: [{ caller, email, password: PASSWORD, anyLength: false }],
    setAllPasswords: [{ caller, password: () => PASSWORD, anyLength: false }],
    assignRole: [{ caller, email, role: 'admin', remove: false }],
    listUsers: [{ caller, after: 1, limit: 10, order: 'newest-first' }],
    disableUser: [{ caller, email: 'mia@pets.example' }],
    changeUserEmail: [{ caller, email: 'mia@pets.example', newEmail: 'Mia@pets.example' }],
    deleteUser: [{ caller, email: 'mia@pets.example' }],
    removeUserPasskey: [{ caller, email: 'mia@pets.example', id: 'x' }],
    importUsers: [{ caller: identity }],
    importUser: [
      {
        ...{ email: 'old@pets.example', passwordHash: undefined, roles: ['admin'], disabled: true },
        totp: { secret: 'GEZDGNBV', algorithm: 'SHA256', digits: 8, period: 60 },
      },
    ],
    createRole: [{ caller, key: 'editor', label: 'Editor' }],
    listRoles: [{ caller: program }],
    deleteRole: [{ caller, key: 'editor' }],
    createApiKey: [{ caller, name: 'shop', roles: ['admin'] }],
    revokeApiKey: [{ caller, id: '1' }],
    revokeSession: [{ caller, email: 'boss@pets.example', id: identity.sessionId }],
    listSessions: [{ caller, email, after: bySession, limit: 10 }],
    listAudit: [
      { caller, user: email, event: 'login', since: 0, after: 'x', limit: 10, order: 'oldest-first' },
    ],
    sendMails: [],
    purgeExpired: [],
    ready: [],
    'sessionCookie.set': [sessionKey],
    'sessionCookie.read': ['a=b; __Host-sid=c'],
  }
  const byCaller = Object.entries(OPERATIONS).map(([name, { input }]) => [
    name,
    [takes(input, { caller, email }) ? { caller, email } : { caller }],
  ])
  const byCredentials = Object.keys(IDENTITY).map((name) => [name, [{ presented }]])
  const others = Object.fromEntries([...byCaller, ...byCredentials]) as object
  // `asks` also determines the order, because some calls need the results of earlier calls.
  return { ...asks, ...others, ...asks } as Record<MethodName, unknown[]>
}

function takes(parser: Parser<unknown>, input: object): boolean {
  const errors: FieldError[] = []
  parser(input, '', errors)
  return errors.length === 0
}

type Call = (...args: unknown[]) => unknown

export async function call(kennel: Kennel, name: MethodName, args: readonly unknown[]): Promise<unknown> {
  if (name === 'importUser') return await (kennel.importUsers({ caller: OPERATOR }) as Call)(...args)
  if (name === 'sessionCookie.set') return (kennel.sessionCookie.set as Call)(...args)
  if (name === 'sessionCookie.read') return (kennel.sessionCookie.read as Call)(...args)
  return await (kennel[name] as Call)(...args)
}
