import type { Parser } from '../fields.js'
import { operationRow, type Declaration, type Operation } from '../operation.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { GivenParts, PartName } from './part-types.js'
import { withCheckedToken, type CheckedInput, type Checks } from './presented.js'

type Input<CallInput, Members> = Parser<CallInput> & { readonly read?: (input: never) => Members }

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
      checks: Checks<CallInput, Members>,
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
  const read = (input.read ?? (() => ({}))) as Checks<CallInput, Members>['read']
  const names = [...parts, 'checkAccessToken'] as const
  return operationRow({ ...declared, parts: names }, input, (allParts: WithCheck<Parts>, assertPermitted) => {
    const call = withCheckedToken<CallInput, Answer>(
      run(allParts, { assertPermitted, read }),
      allParts.checkAccessToken,
    )
    return wrap ? wrap(call, allParts) : call
  })
}
