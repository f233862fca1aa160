import type { Authorize } from '../access/authorize.js'
import type { RoleRoom } from '../access/role-room.js'
import type { AssertWithin } from '../access/within.js'
import type { HashNewPassword, PasswordPolicy } from '../accounts/hash-new-password.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { Credentials, Infrastructure, MailParts } from '../infrastructure.js'
import type { MakeMail } from '../mail/make-mail.js'
import type { Notices, QueueMail } from '../mail/queue-mail.js'
import type { SiftMails } from '../mail/sift-mails.js'
import type { PurgeExpired } from '../purge-expired.js'
import type { Authenticate } from './authenticate.js'
import type { BeginLogin } from './begin-login.js'
import type { RefuseLapsed } from './impersonation/refuse-lapsed.js'
import type { ReplaceLogin } from './impersonation/replace-login.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { Issue } from './issue.js'
import type { NextGeneration, OpenSession } from './open-session.js'
import type { LimitResetRequests } from './password-reset/limit-reset-requests.js'
import type { RefuseImpersonated } from './password-reset/refuse-impersonated.js'
import type { ProveFactor } from './second-factor/prove-factor.js'
import type { StartLogin } from './start-login.js'
import type { IssuePair } from './stateless/issue-pair.js'
import type { RenewPair } from './stateless/renew-pair.js'
import type { TellNewClient } from './tell-new-client.js'
import type { Throttle } from './throttle.js'

type PartTypes = Infrastructure &
  Credentials &
  MailParts & {
    readonly assertWithin: AssertWithin
    readonly audit: AuditTrail
    readonly authenticate: Authenticate
    readonly authorize: Authorize
    readonly beginLogin: BeginLogin
    readonly checkAccessToken: CheckAccessToken
    readonly codeThrottle: Throttle
    readonly hashNewPassword: HashNewPassword
    readonly issue: Issue
    readonly issuePair: IssuePair
    readonly limitResetRequests: LimitResetRequests
    readonly makeMail: MakeMail
    readonly nextGeneration: NextGeneration
    /** `undefined` if accounts are not notified by email. */
    readonly notices: Notices | undefined
    readonly openSession: OpenSession
    readonly passwordPolicy: PasswordPolicy
    readonly proveFactor: ProveFactor
    readonly purgeExpired: PurgeExpired
    readonly queueMail: QueueMail
    readonly refuseImpersonated: RefuseImpersonated
    readonly refuseLapsed: RefuseLapsed
    readonly renewPair: RenewPair
    readonly replaceLogin: ReplaceLogin
    /** `undefined` if tokens contain no roles. */
    readonly roleRoom: RoleRoom | undefined
    readonly siftMails: SiftMails
    readonly startLogin: StartLogin
    /** `undefined` if accounts are not notified about a new client. */
    readonly tellNewClient: TellNewClient | undefined
    /** `undefined` if login attempts are not limited. */
    readonly throttle: Throttle | undefined
  }

export type PartName = keyof PartTypes
type MaybeUndefined = {
  [Name in PartName]-?: undefined extends PartTypes[Name] ? Name : never
}[PartName]

/** An object with the parts of these names. A caller may omit the parts in `Optional` and every part that can be `undefined`. */
export type GivenParts<
  Names extends readonly PartName[],
  Optional extends readonly PartName[] = readonly [],
> = {
  readonly [Name in Exclude<Names[number], MaybeUndefined | Optional[number]>]: PartTypes[Name]
} & {
  readonly [Name in Extract<Names[number], MaybeUndefined | Optional[number]>]?: PartTypes[Name] | undefined
}
