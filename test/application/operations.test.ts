import { expect } from 'chai'
import { importedUser } from '../../src/application/accounts/create-users.js'
import { copyStore } from '../../src/application/copy-store.js'
import type { FieldError } from '../../src/application/fields.js'
import { IDENTITY } from '../../src/application/identity/operations.js'
import { OPERATIONS } from '../../src/application/operations.js'
import { purgeStore } from '../../src/application/purge-expired.js'

const ALL = { ...OPERATIONS, ...IDENTITY, purgeStore, copyStore, importUser: { input: importedUser } }
const CREDENTIALS = 'accessToken? sessionKey? client?'

/** The members of each input; `?` marks members that may be absent. */
const MEMBERS: Readonly<Record<keyof typeof ALL, string>> = {
  listPets: 'caller limit? after?',
  createPet: 'caller draft idempotencyKey?',
  readPet: 'caller id?',
  readPets: 'caller ids',
  patchPet: 'caller change id? expected?',
  removePet: 'caller id? expected?',
  createProject: 'caller label status budget',
  listProjects: 'caller limit? after?',
  readProject: 'caller id?',
  closeProject: 'caller id',
  createUser: 'caller email password anyLength? passwordHash?',
  setPassword: 'caller email password anyLength? passwordHash?',
  setAllPasswords: 'caller password anyLength? passwordHash?',
  assignRole: 'caller email role remove?',
  listUsers: 'caller limit after? email? role? onlyDisabled? order?',
  listDuplicateUsers: 'caller',
  getUser: 'caller email',
  disableUser: 'caller email',
  enableUser: 'caller email',
  unlockUser: 'caller email',
  changeUserEmail: 'caller email newEmail',
  deleteUser: 'caller email',
  exportUser: 'caller email',
  readUserFactor: 'caller email',
  removeUserFactor: 'caller email',
  importUsers: 'caller',
  importUser: 'email passwordHash? roles?',
  createRole: 'caller key label',
  listRoles: 'caller after? limit?',
  deleteRole: 'caller key',
  createApiKey: 'caller name roles expiresAt?',
  listApiKeys: 'caller after? limit?',
  revokeApiKey: 'caller id',
  listSessions: 'caller email limit after?',
  revokeSessions: 'caller email',
  listAudit: 'caller limit user? event? since? after? order?',
  purgeStore: 'caller',
  copyStore: 'caller target onProgress? isStopped? retrying?',
  login: 'email password presented code?',
  getIdentity: CREDENTIALS,
  refresh: 'refreshToken presented',
  logout: CREDENTIALS,
  deleteAccount: 'password presented code?',
  requestPasswordReset: 'email presented',
  consumeResetToken: 'email resetToken password presented',
  changePassword: 'password newPassword presented',
  listOwnSessions: 'presented after? limit?',
  endOwnSessions: 'presented id? others?',
  readSecondFactor: CREDENTIALS,
  setUpSecondFactor: 'password presented',
  confirmSecondFactor: 'code presented',
  removeSecondFactor: 'password code presented',
  renewRecoveryCodes: 'password code presented',
  loginAs: 'userId presented code?',
  logoutAs: 'presented',
}

function errorsOf(name: keyof typeof ALL, value: object): readonly FieldError[] {
  const errors: FieldError[] = []
  ALL[name].input(value, '', errors)
  return errors
}

describe('the input of an operation', () => {
  for (const [operation, listed] of Object.entries(MEMBERS)) {
    const name = operation as keyof typeof ALL
    const members = listed.split(' ')

    it(`has the listed members of ${name} and no others`, () => {
      const required = members.filter((member) => !member.endsWith('?'))
      const missing = errorsOf(name, {}).filter(({ type }) => type === 'Required')
      expect(missing.map(({ field }) => field)).to.deep.equal(required)
      const all = Object.fromEntries(members.map((member) => [member.replace('?', ''), Symbol('wrong')]))
      const unknown = (value: object) => errorsOf(name, value).filter(({ field }) => field === '')
      expect(unknown(all)).to.deep.equal([])
      expect(unknown({ ...all, another: 1 })).to.have.lengthOf(1)
    })
  }
})
