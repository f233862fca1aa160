import type { PartsFrom, SharedParts } from '../shared-parts.js'
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

type PartTypes = SharedParts & {
  readonly assertFresh: AssertFresh
  readonly authenticate: Authenticate
  readonly beginLogin: BeginLogin
  readonly issue: Issue
  readonly limitMailRequests: LimitMailRequests
  /** `undefined` if there is no previous system. */
  readonly moveAccount: MoveAccount | undefined
  readonly nextGeneration: NextGeneration
  readonly passkeyChallenges: PasskeyChallenges
  readonly presentProof: PresentProof
  readonly proveFactor: ProveFactor
  readonly provePasskey: ProvePasskey
  readonly refuseImpersonated: RefuseImpersonated
  readonly refuseLapsed: RefuseLapsed
  readonly renewLogin: RenewLogin
  readonly renewPair: RenewPair
  readonly replaceLogin: ReplaceLogin
  readonly requestProof: RequestProof
  readonly startLogin: StartLogin
}

export type PartName = keyof PartTypes

/** The parts with these names; see `PartsFrom`. */
export type GivenParts<
  Names extends readonly PartName[],
  Optional extends readonly PartName[] = readonly [],
> = PartsFrom<PartTypes, Names[number], Optional[number]>
