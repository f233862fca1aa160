import type { TimeOrderedIds } from '../domain/instant.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { Authorize } from './access/authorize.js'
import type { RoleRoom } from './access/role-room.js'
import type { AssertWithin } from './access/within.js'
import type { HashNewPassword, PasswordPolicy } from './accounts/hash-new-password.js'
import type { AuditTrail } from './audit/audit-trail.js'
import type { Throttle } from './identity/throttle.js'
import type { Credentials, Infrastructure } from './infrastructure.js'
import type { Notices, QueueMail } from './mail/queue-mail.js'

/** The infrastructure, and the parts that are not specific to identity operations. */
export type SharedParts = Infrastructure &
  Credentials & {
    readonly assertWithin: AssertWithin
    readonly audit: AuditTrail
    readonly authorize: Authorize
    readonly codeThrottle: Throttle
    readonly hashNewPassword: HashNewPassword
    /** `undefined` if login attempts are not limited. */
    readonly networkLimit: AttemptLimit | undefined
    /** `undefined` if accounts are not notified by email. */
    readonly notices: Notices | undefined
    readonly passwordPolicy: PasswordPolicy
    readonly queueMail: QueueMail
    /** `undefined` if tokens contain no roles. */
    readonly roleRoom: RoleRoom | undefined
    /** `undefined` if login attempts are not limited. */
    readonly throttle: Throttle | undefined
    readonly timeOrderedIds: TimeOrderedIds
  }

type MaybeUndefined<Parts> = {
  [Name in keyof Parts]-?: undefined extends Parts[Name] ? Name : never
}[keyof Parts]

/** An object with the parts that have these names. A caller may omit the parts in `Optional` and every part that can be `undefined`. */
export type PartsFrom<Parts, Name, Optional = never> = {
  readonly [N in Exclude<keyof Parts & Name, MaybeUndefined<Parts> | Optional>]: Parts[N]
} & {
  readonly [N in Extract<keyof Parts & Name, MaybeUndefined<Parts> | Optional>]?: Parts[N] | undefined
}

/** The shared parts with these names. */
export type GivenShared<
  Names extends readonly (keyof SharedParts)[],
  Optional extends readonly (keyof SharedParts)[] = readonly [],
> = PartsFrom<SharedParts, Names[number], Optional[number]>
