import type { Parser } from '../fields.js'
import { operationRow, type Declared, type Operation } from '../operation.js'
import type { CheckAccessToken } from './check-access-token.js'
import type { GivenParts, PartName } from './part-types.js'
import { withCheckedToken, type Checked, type Checks } from './presented.js'

type Input<Asked, Members> = Parser<Asked> & { readonly read?: (input: never) => Members }

type Call<Asked, Answer> = (input: Asked) => Promise<Answer>

type WithCheck<Parts> = Parts & { readonly checkAccessToken: CheckAccessToken }

/**
 * Declares the permission, input, parts and function of an operation that identifies its caller by credentials. The function receives a
 * checked access token and must authorize its caller with `permit`. The types of the parts are derived from their names.
 */
export function identityOperation<
  const Names extends readonly PartName[],
  Asked extends object,
  Answer,
  Members extends object = object,
  const Renamed extends Readonly<Record<string, string>> | undefined = undefined,
  const Optional extends readonly PartName[] = readonly [],
  Parts extends GivenParts<Names, Optional> = GivenParts<Names, Optional>,
>(
  declared: Declared<Names, Renamed, Optional> & {
    /** The credentials, alone or with a `form`. */
    readonly input: Input<Asked, Members>
    readonly run: (parts: Parts, checks: Checks<Asked, Members>) => (input: Checked<Asked>) => Promise<Answer>
    /** Wraps the whole call, including the check of the access token. */
    readonly around?: (call: Call<Asked, Answer>, parts: Parts) => Call<Asked, Answer>
  },
): Operation<
  WithCheck<Parts>,
  readonly [...Names, 'checkAccessToken'],
  Renamed,
  Optional,
  Asked,
  Promise<Answer>
> {
  const { input, parts, run, around } = declared
  const read = (input.read ?? (() => ({}))) as Checks<Asked, Members>['read']
  const names = [...parts, 'checkAccessToken'] as const
  return operationRow({ ...declared, parts: names }, input, (given: WithCheck<Parts>, permit) => {
    const call = withCheckedToken<Asked, Answer>(run(given, { permit, read }), given.checkAccessToken)
    return around ? around(call, given) : call
  })
}
