import type { Caller } from '../../domain/access/caller.js'
import type { Parser } from '../fields.js'
import type { Operation, Permission } from '../operation.js'
import type { CheckAccessToken } from './check-access-token.js'
import { withCheckedToken, type Checked } from './presented.js'

/** The checks that an operation makes itself, in the order of its refusals. */
export type Checks<Input, Members = unknown> = {
  /** Refuses a caller without the permission of the operation, with `unauthenticated` or `forbidden`. */
  readonly permit: (caller: Caller) => void
  /** The form of the input; refuses with `malformed`. */
  readonly read: (input: Checked<Input>) => Members
}

type Input<Asked, Members> = Parser<Asked> & { readonly read?: (input: never) => Members }

type Call<Asked, Answer> = (input: Asked) => Promise<Answer>

/**
 * Declares an operation whose caller is found by credentials: permission, input, parts and function. The function gets a checked
 * access token; it has to judge its caller with `permit`.
 */
export function identityOperation<
  Parts,
  const Names extends readonly string[],
  Asked extends object,
  Answer,
  Members extends object = object,
  const Renamed extends Readonly<Record<string, string>> | undefined = undefined,
  const Optional extends readonly string[] = readonly [],
>(declared: {
  readonly permission: Permission
  /** The credentials, alone or with a `form`. */
  readonly input: Input<Asked, Members>
  /** The names of the parts, `renamed` and `optional` as in a `Row`. */
  readonly parts: Names
  readonly renamed?: Renamed
  readonly optional?: Optional
  readonly run: (parts: Parts, checks: Checks<Asked, Members>) => (input: Checked<Asked>) => Promise<Answer>
  /** Wraps the whole call, with the check of the access token. */
  readonly around?: (call: Call<Asked, Answer>, parts: Parts) => Call<Asked, Answer>
}): Operation<
  Parts & { readonly checkAccessToken: CheckAccessToken },
  readonly [...Names, 'checkAccessToken'],
  Renamed,
  Optional,
  Asked,
  Promise<Answer>
> {
  const { permission, input, parts, renamed, optional, run, around } = declared
  const [component, action] = permission
  const read = (input.read ?? (() => ({}))) as Checks<Asked, Members>['read']
  return {
    permission,
    input,
    parts: [...parts, 'checkAccessToken', 'authorize'],
    renamed: renamed as Renamed,
    optional: optional ?? ([] as readonly string[] as Optional),
    factory: (given) => {
      const permit = (caller: Caller) => void given.authorize(caller, component, action)
      const call = withCheckedToken<Asked, Answer>(run(given, { permit, read }), given.checkAccessToken)
      return around ? around(call, given) : call
    },
  }
}
