import * as z from 'zod'
import type { ImportedUser, ImportUser } from '../../application/accounts/import-users.js'
import type { ApiKeyId } from '../../domain/access/api-key.js'
import type { Caller } from '../../domain/access/caller.js'
import type { RoleKey } from '../../domain/access/role.js'
import { AUDIT_EVENTS, type AuditRecordId } from '../../domain/audit.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import { MUST_BE, oneOf, REQUIRED } from '../../domain/messages.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import type { OperatorUseCases } from '../../application/use-cases.js'
import type { InputOf, InputSchemas } from './argument.js'
import { caller } from './callers.js'
import {
  count,
  flag,
  id,
  instant,
  listOf,
  malformed,
  members,
  note,
  said,
  sessionPosition,
  text,
} from './values.js'

type Input<Name extends keyof OperatorUseCases> = InputOf<OperatorUseCases[Name]>

const named = { caller, email: text }
/** Of a page by id, or of a search by email. */
const idOrText = z.custom<AccountId | string>(
  (value) => typeof value === 'string' || isPositiveInteger(value),
  said(MUST_BE.idOrEmail),
)
const order = z
  .enum(['oldest-first', 'newest-first'], said(oneOf(['oldest-first', 'newest-first'])))
  .optional()

type Loose = {
  readonly caller: Caller
  readonly email: string
  readonly password?: string
  readonly anyLength?: boolean
  readonly passwordHash?: string
}

/**
 * A password or a hash; that it is not both is the use case's to judge. Looked at whatever else is wrong, so that
 * everything is named at once.
 */
function withEither<T>(schema: z.ZodType<object>): z.ZodType<T> {
  return schema.refine(hasEither, {
    message: REQUIRED,
    path: ['password'],
    when: () => true,
  }) as unknown as z.ZodType<T>
}

function hasEither(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const { password, passwordHash } = value as Partial<Loose>
  return password !== undefined || passwordHash !== undefined
}

const withPassword = withEither<Input<'setPassword'>>(
  members<Loose>({
    ...named,
    password: text.optional(),
    anyLength: flag.optional(),
    passwordHash: text.optional(),
  }),
)

/** What the caller's own function answers is looked at as well. */
const passwordOf = z
  .custom<(account: Account) => unknown>((value) => typeof value === 'function', said(MUST_BE.function))
  .transform((make) => (account: Account) => {
    const answer = answerOf(make, account)
    if (typeof answer === 'string') return answer
    // Of an asynchronous function no other code would wait for it.
    if (answer instanceof Promise) answer.catch(() => undefined)
    throw malformed('password', 'must answer a string')
  })

function answerOf(make: (account: Account) => unknown, account: Account): unknown {
  try {
    return make(account)
  } catch (error) {
    throw malformed('password', 'must not throw', error)
  }
}

type LooseAll = Omit<Loose, 'email' | 'password'> & { readonly password?: (account: Account) => string }

const withPasswords = withEither<Input<'setAllPasswords'>>(
  members<LooseAll>({
    caller,
    password: passwordOf.optional(),
    anyLength: flag.optional(),
    passwordHash: text.optional(),
  }),
)

export const OPERATOR_INPUTS: InputSchemas<OperatorUseCases> = {
  createUser: [{ field: '', schema: withPassword }],
  setPassword: [{ field: '', schema: withPassword }],
  setAllPasswords: [{ field: '', schema: withPasswords }],
  assignRole: [
    { field: '', schema: members<Input<'assignRole'>>({ ...named, role: text, remove: flag.optional() }) },
  ],
  listUsers: [
    {
      field: '',
      schema: members<Input<'listUsers'>>({
        caller,
        email: text.optional(),
        role: text.optional(),
        onlyDisabled: flag.optional(),
        after: idOrText.optional(),
        limit: count,
        order,
      }),
    },
  ],
  listDuplicateUsers: [{ field: '', schema: members<Input<'listDuplicateUsers'>>({ caller }) }],
  getUser: [{ field: '', schema: members<Input<'getUser'>>(named) }],
  disableUser: [{ field: '', schema: members<Input<'disableUser'>>(named) }],
  enableUser: [{ field: '', schema: members<Input<'enableUser'>>(named) }],
  exportUser: [{ field: '', schema: members<Input<'exportUser'>>(named) }],
  deleteUser: [{ field: '', schema: members<Input<'deleteUser'>>(named) }],
  readUserFactor: [{ field: '', schema: members<Input<'readUserFactor'>>(named) }],
  removeUserFactor: [{ field: '', schema: members<Input<'removeUserFactor'>>(named) }],
  importUsers: [{ field: '', schema: members<Input<'importUsers'>>({ caller }) }],
  createRole: [{ field: '', schema: members<Input<'createRole'>>({ caller, key: text, label: text }) }],
  listRoles: [
    {
      field: '',
      schema: members<Input<'listRoles'>>({
        caller,
        after: text.transform((key) => key as RoleKey).optional(),
        limit: count.optional(),
      }),
    },
  ],
  createApiKey: [
    {
      field: '',
      schema: members<Input<'createApiKey'>>({
        caller,
        name: text,
        roles: listOf(text),
        expiresAt: instant.optional(),
      }),
    },
  ],
  listApiKeys: [
    {
      field: '',
      schema: members<Input<'listApiKeys'>>({
        caller,
        after: id<ApiKeyId>().optional(),
        limit: count.optional(),
      }),
    },
  ],
  revokeApiKey: [{ field: '', schema: members<Input<'revokeApiKey'>>({ caller, id: text }) }],
  listSessions: [
    {
      field: '',
      schema: members<Input<'listSessions'>>({
        ...named,
        after: sessionPosition.optional(),
        limit: count,
      }),
    },
  ],
  revokeSessions: [{ field: '', schema: members<Input<'revokeSessions'>>(named) }],
  listAudit: [
    {
      field: '',
      schema: members<Input<'listAudit'>>({
        caller,
        user: text.optional(),
        event: z.enum(AUDIT_EVENTS, said('must be an event of the audit log')).optional(),
        since: instant.optional(),
        after: note.transform((one) => one as AuditRecordId).optional(),
        limit: count,
        order,
      }),
    },
  ],
}

/** What the function that `importUsers` answers is given. */
export const IMPORT_INPUTS: InputSchemas<{ importUser: ImportUser }> = {
  importUser: [
    {
      field: '',
      schema: members<ImportedUser>({
        email: text,
        passwordHash: text.optional(),
        roles: listOf(text).optional(),
      }),
    },
  ],
}
