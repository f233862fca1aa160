import { shownEmail } from '../../domain/identity/account.js'
import { email as emailRule, withEnteredForm } from '../../domain/identity/email.js'
import { noRoom } from '../access/role-room.js'
import { givenRoles, unknownRole } from '../access/roles.js'
import { within, type Limited } from '../access/within.js'
import { listOf, optional, parseFields, text, type ObjectParser } from '../fields.js'
import { operation } from '../operation.js'
import { assertMayImport, type GivenPassword } from './hash-new-password.js'
import { emailTaken } from './named-account.js'
import { namedPassword } from './set-password.js'

type Input = { readonly email: string; readonly roles?: readonly string[] | undefined } & GivenPassword &
  Pick<Limited, 'within'>

/**
 * Creates an account with its roles in one write and resolves with its ID. Supplying a hash also requires `user: import`, and roles require
 * `user-task: role`. Creates nothing if it refuses the call:
 * - `malformed`: the input has both a password and a hash, or neither;
 * - `invalid`: the email, the password, the hash or a role key is invalid, or the roles do not fit into a token;
 * - `conflict`: an account with the email exists;
 * - `not-found`: a role is not in the role table.
 */
export const createUser = operation({
  permission: ['user-task', 'create'],
  input: namedPassword.with({ roles: optional(listOf(text)), within }) as ObjectParser<Input>,
  parts: ['accounts', 'assertWithin', 'hashNewPassword', 'audit', 'clock', 'roleRoom'],
  run:
    ({ accounts, hashNewPassword, authorize, assertWithin, audit, clock, roleRoom }) =>
    async ({ caller, email: entry, roles: texts = [], within, ...credential }) => {
      assertMayImport(authorize, caller, credential)
      const roles = givenRoles({ authorize, assertWithin }, { caller, within }, texts)
      const { email } = parseFields({ email: emailRule(entry) })
      // This check only avoids an unnecessary hash; the store's unique index prevents duplicates.
      if (await accounts.findByEmail(email)) throw emailTaken()
      const forms = withEnteredForm(email, entry)
      if ((await roleRoom?.(shownEmail(forms), roles)) === false) throw noRoom()
      const passwordHash = await hashNewPassword(credential, { email })
      const outcome = await accounts.insert({
        ...{ ...forms, passwordHash, roles, createdAt: clock() },
      })
      if (outcome.kind === 'unknown-role') throw unknownRole(outcome.role)
      if (outcome.kind !== 'inserted') throw emailTaken()
      const { id: subject } = outcome
      await audit.record({ event: 'user.create', caller, subject })
      for (const role of roles)
        await audit.record({ event: 'role.assign', caller, subject, what: `role:${role}` })
      return subject
    },
})
