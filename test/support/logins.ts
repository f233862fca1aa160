import type { Role, RoleKey } from '../../src/domain/access/role.js'
import type { Account, AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { CarriedLogin, ClaimedActor, Claims } from '../../src/domain/identity/claims.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { Actor, SessionId } from '../../src/domain/identity/session.js'

/** The time to which all times in this file are relative: a whole second, because tokens contain no fractions of a second. */
export const AT = Date.UTC(2026, 0, 2, 3, 4, 5)
export const SECONDS = AT / 1000

export const EDITOR: Role = { uuid: 'uuid-editor', key: 'editor' as RoleKey, label: 'Editor' }
export const ADMIN: Role = { uuid: 'uuid-admin', key: 'admin' as RoleKey, label: 'Admin' }

export const ADA: Account = {
  id: 1 as AccountId,
  email: 'ada@example.com' as Email,
  epoch: 3 as Epoch,
  createdAt: AT - 1000,
  roles: [EDITOR, ADMIN],
}
export const BOSS: Account = {
  ...ADA,
  id: 2 as AccountId,
  email: 'boss@example.com' as Email,
  epoch: 5 as Epoch,
}

/** The boss's identity during an impersonation. */
export const ACTOR: Actor = {
  accountId: BOSS.id,
  email: BOSS.email,
  epoch: BOSS.epoch,
  endsAt: AT + 7_200_000,
}
export const CLAIMED_ACTOR = {
  accountId: BOSS.id,
  email: BOSS.email,
  login: { epoch: BOSS.epoch, endsAt: SECONDS + 7200 },
} as const satisfies ClaimedActor

export const CARRIED: CarriedLogin = {
  email: ADA.email,
  roles: ADA.roles,
  epoch: ADA.epoch,
  endsAt: SECONDS + 3600,
}

export const SESSION_ID = 'session-1' as SessionId

export const CLAIMS = {
  kind: 'access',
  subject: ADA.id,
  sessionId: SESSION_ID,
  tokenId: 'pair-1.access',
  issuedAt: SECONDS,
  expiresAt: SECONDS + 900,
  login: CARRIED,
} as const satisfies Claims
