import type { Role, RoleKey } from '../../domain/access/role.js'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import { writeClaimSet } from '../../domain/identity/claim-set.js'
import type { Claims } from '../../domain/identity/claims.js'
import type { Email } from '../../domain/identity/email.js'
import type { SessionId } from '../../domain/identity/session.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { Roles } from '../../ports/roles.js'
import { TOKEN_MAX } from '../../ports/tokens.js'

/** Returns whether these roles fit into a token for an account with this displayed email. Ignores keys that are not in the role table. */
export type RoleRoom = (email: Email, keys: readonly RoleKey[]) => Promise<boolean>

/** Returns `undefined` if there is no role table, or if tokens carry no roles because there is no `tokenIssuer`. */
export function createRoleRoom(parts: {
  roles?: Pick<Roles, 'list'> | undefined
  tokenIssuer: string | undefined
}): RoleRoom | undefined {
  const { roles, tokenIssuer } = parts
  if (tokenIssuer === undefined || !roles) return undefined
  // Roles never change, so the role table is read only for unknown keys.
  let known = new Map<RoleKey, Role>()
  return async (email, keys) => {
    if (keys.some((key) => !known.has(key)))
      known = new Map((await roles.list()).map((role) => [role.key, role]))
    const held = keys.flatMap((key) => known.get(key) ?? [])
    return longestToken(tokenIssuer, email, held) <= TOKEN_MAX
  }
}

export function noRoom(): Refusal {
  const message = 'The roles of this account do not fit into a token: remove another role first.'
  return refuseField('invalid', 'role', 'NotValid', message)
}

/** All claims of a refresh token except issuer, email and roles, each at its maximum length. */
const LONGEST = {
  kind: 'refresh',
  subject: Number.MAX_SAFE_INTEGER as AccountId,
  sessionId: '0123456789abcdefghijkl' as SessionId,
  tokenId: '0123456789abcdefghijkl.refresh',
  issuedAt: 9_999_999_999,
  expiresAt: 9_999_999_999,
} as const satisfies Claims
const LONGEST_LOGIN = {
  epoch: Number.MAX_SAFE_INTEGER as Epoch,
  endsAt: 9_999_999_999,
  factor: 9_999_999_999_999,
}

/**
 * The number of characters of a PASETO token, the longest format, in addition to its JSON claims: header, footer, signature and longer
 * timestamps.
 */
const BESIDES_CLAIMS = 208

/**
 * Returns an upper bound on the length of a token without an actor, regardless of its format; the bound may exceed the actual length by up
 * to 200 characters.
 */
function longestToken(issuer: string, email: Email, roles: readonly Role[]): number {
  const claims: Claims = { ...LONGEST, login: { ...LONGEST_LOGIN, email, roles } }
  const { length } = new TextEncoder().encode(JSON.stringify(writeClaimSet(claims, issuer)))
  return Math.ceil((length * 4) / 3) + BESIDES_CLAIMS
}
