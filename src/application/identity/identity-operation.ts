import type { Parser } from '../fields.js'
import { operationRow, type Declaration, type Operation } from '../operation.js'
import type { PartsFrom, SharedParts } from '../shared-parts.js'
import type { Authenticate } from './authenticate.js'
import type { BeginLogin, StartLogin, ReplaceLogin } from './begin-login.js'
import type { RefuseLapsed, RefuseImpersonated } from './impersonation/guards.js'
import type { Issue } from './issue.js'
import type { MoveAccount } from './move-account.js'
import type { NextGeneration } from './open-session.js'
import type { AssertFresh } from './own-account.js'
import type { PasskeyChallenges } from './passkeys/challenges.js'
import type { ProvePasskey } from './passkeys/prove-passkey.js'
import { withCheckedToken, type CheckAccessToken, type CheckedInput, type Checks } from './presented.js'
import type { PresentProof } from './proofs/present-proof.js'
import type { LimitMailRequests, RequestProof } from './proofs/request-proof.js'
import type { RenewLogin, RenewPair } from './renew-login.js'
import type { ProveFactor } from './second-factor/prove-factor.js'

type Input<CallInput, Members> = Parser<CallInput> & Partial<Pick<Checks<Members>, 'read'>>

type Call<CallInput, Answer> = (input: CallInput) => Promise<Answer>

type WithCheck<Parts> = Parts & { readonly checkAccessToken: CheckAccessToken }

/**
 * Declares the permission, input, parts and function of an operation that identifies its caller by credentials. The function receives a
 * checked access token and must authorize its caller with `assertPermitted`. The types of the parts are derived from their names.
 */
export function identityOperation<
  const Names extends readonly PartName[],
  CallInput extends object,
  Answer,
  Members extends object = object,
  const Renamed extends Readonly<Record<string, string>> | undefined = undefined,
  const Optional extends readonly PartName[] = readonly [],
  Parts extends GivenParts<Names, Optional> = GivenParts<Names, Optional>,
>(
  declared: Declaration<Names, Renamed, Optional> & {
    /** The credentials, alone or with a `form`. */
    readonly input: Input<CallInput, Members>
    readonly run: (
      parts: Parts,
      checks: Checks<Members>,
    ) => (input: CheckedInput<CallInput>) => Promise<Answer>
    /** Wraps the whole call, including the check of the access token. */
    readonly wrap?: (call: Call<CallInput, Answer>, parts: Parts) => Call<CallInput, Answer>
  },
): Operation<
  WithCheck<Parts>,
  readonly [...Names, 'checkAccessToken'],
  Renamed,
  Optional,
  CallInput,
  Promise<Answer>
> {
  const { input, parts, run, wrap } = declared
  const read = input.read ?? (() => ({}) as Members)
  const names = [...parts, 'checkAccessToken'] as const
  return operationRow({ ...declared, parts: names }, input, (allParts: WithCheck<Parts>, assertPermitted) => {
    const call = withCheckedToken<CallInput, Answer>(
      run(allParts, { assertPermitted, read }),
      allParts.checkAccessToken,
    )
    return wrap ? wrap(call, allParts) : call
  })
}

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

type PartName = keyof PartTypes

export type GivenParts<
  Names extends readonly PartName[],
  Optional extends readonly PartName[] = readonly [],
> = PartsFrom<PartTypes, Names[number], Optional[number]>
