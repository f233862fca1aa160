import * as z from 'zod'
import type { ClientContext } from '../../application/client-context.js'
import type { Caller, Identity } from '../../domain/access/caller.js'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Actor, SessionId } from '../../domain/identity/session.js'
import { MUST_BE } from '../../domain/messages.js'
import { id, instant, listOf, members, note, present, said, text, type Members } from './values.js'

/** Where a request came from. */
export const client = members<ClientContext>({
  address: note.optional(),
  requestId: note.optional(),
  // As clients send it: no login fails for it.
  userAgent: text.optional(),
})

const roleKey: z.ZodType<RoleKey> = text.transform((key) => key as RoleKey)
const email: z.ZodType<Email> = text.transform((address) => address as Email)
const roles = listOf(members<Role>({ uuid: text, key: roleKey, label: text }))
const epoch = id<Epoch>()

const account: Members<Identity> = {
  kind: z.literal('account'),
  accountId: id<AccountId>(),
  email,
  roles,
  sessionId: text.transform((one) => one as SessionId).optional(),
  epoch: epoch.optional(),
  endsAt: instant.optional(),
  factor: z.literal(true, said(MUST_BE.boolean)).optional(),
  factorSince: instant.optional(),
  actor: members<Actor>({ accountId: id<AccountId>(), email, epoch, endsAt: instant }).optional(),
}

/** Who asks, as a credential that was verified says; what a permission is decided by. */
export const identity = present<Identity>(account)

export const caller = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('anonymous') }),
    z.strictObject({ kind: z.literal('cli') }),
    z.strictObject({ kind: z.literal('api-key'), apiKeyId: id<number>(), roles }),
    z.strictObject(account),
  ],
  said('must be a caller, such as OPERATOR, ANONYMOUS or an identity'),
) as unknown as z.ZodType<Caller>
