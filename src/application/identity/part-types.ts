import type { Authorize } from '../access/authorize.js'
import type { RoleRoom } from '../access/role-room.js'
import type { AssertWithin } from '../access/within.js'
import type { PasswordPolicy } from '../accounts/hash-new-password.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Credentials, Infrastructure } from '../infrastructure.js'
import type { AttemptLimit } from '../../ports/attempt-limiter.js'
import type { TimeOrderedIds } from '../../domain/time-ordered-ids.js'
import type { Notices, QueueMail } from '../mail/queue-mail.js'
import type { AssertFresh } from './assert-fresh.js'
import type { Authenticate } from './authenticate.js'
import type { BeginLogin } from './begin-login.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'
import type { ReplaceLogin } from './impersonation/replace-login.js'
import type { RenewLogin } from './renew-login.js'
import type { Issue } from './issue.js'
import type { MoveAccount } from './move-account.js'
import type { NextGeneration } from './open-session.js'
import type { PasskeyChallenges } from './passkeys/challenges.js'
import type { ProvePasskey } from './passkeys/prove-passkey.js'
import type { LimitMailRequests } from './proofs/limit-mail-requests.js'
import type { PresentProof } from './proofs/present-proof.js'
import type { RequestProof } from './proofs/request-proof.js'
import type { RefuseImpersonated } from './password-reset/refuse-impersonated.js'
import type { ProveFactor } from './second-factor/prove-factor.js'
import type { StartLogin } from './start-login.js'
import type { RenewPair } from './stateless/renew-pair.js'
import type { Throttle } from './throttle.js'

type PartTypes = Infrastructure &
  Credentials & {
    readonly assertFresh: AssertFresh
    readonly assertWithin: AssertWithin
    readonly audit: AuditTrail
    readonly authenticate: Authenticate
    readonly authorize: Authorize
    readonly beginLogin: BeginLogin
    readonly codeThrottle: Throttle
    readonly issue: Issue
    readonly limitMailRequests: LimitMailRequests
    /** `undefined` if there is no previous system. */
    readonly moveAccount: MoveAccount | undefined
    readonly nextGeneration: NextGeneration
    /** `undefined` if accounts are not notified by email. */
    readonly notices: Notices | undefined
    readonly passwordPolicy: PasswordPolicy
    readonly passkeyChallenges: PasskeyChallenges
    readonly presentProof: PresentProof
    readonly proveFactor: ProveFactor
    readonly provePasskey: ProvePasskey
    readonly queueMail: QueueMail
    readonly refuseImpersonated: RefuseImpersonated
    readonly refuseLapsed: RefuseLapsed
    readonly renewLogin: RenewLogin
    readonly renewPair: RenewPair
    readonly replaceLogin: ReplaceLogin
    readonly requestProof: RequestProof
    /** `undefined` if tokens contain no roles. */
    readonly roleRoom: RoleRoom | undefined
    readonly startLogin: StartLogin
    readonly timeOrderedIds: TimeOrderedIds
    /** `undefined` if login attempts are not limited. */
    readonly networkLimit: AttemptLimit | undefined
    /** `undefined` if login attempts are not limited. */
    readonly throttle: Throttle | undefined
  }

export type PartName = keyof PartTypes
type MaybeUndefined = {
  [Name in PartName]-?: undefined extends PartTypes[Name] ? Name : never
}[PartName]

/** An object with the parts that have these names. A caller may omit the parts in `Optional` and every part that can be `undefined`. */
export type GivenParts<
  Names extends readonly PartName[],
  Optional extends readonly PartName[] = readonly [],
> = {
  readonly [Name in Exclude<Names[number], MaybeUndefined | Optional[number]>]: PartTypes[Name]
} & {
  readonly [Name in Extract<Names[number], MaybeUndefined | Optional[number]>]?: PartTypes[Name] | undefined
}
