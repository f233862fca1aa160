import { MUST_BE } from '../../domain/messages.js'
import type { ClientContext } from '../client-context.js'
import { fields, optional, text, that } from '../fields.js'
import { client } from '../inputs.js'
import { isAccessToken, type AccessToken, type CheckAccessToken } from './check-access-token.js'

/** The credentials of a request. Absent members were not sent. */
export type Presented = {
  /** As it came, or what checking it has given. */
  readonly accessToken?: string | AccessToken | undefined
  /** The content of the session cookie; of no meaning in stateless mode. */
  readonly sessionKey?: string | undefined
  readonly client?: ClientContext | undefined
}

/** Reads the credentials of an untyped caller. */
export const presentedInput = fields({
  accessToken: optional(
    that<string | AccessToken>(MUST_BE.string, (value) => typeof value === 'string' || isAccessToken(value)),
  ),
  sessionKey: optional(text),
  client: optional(client),
})

/** The same once the access token was checked, whatever its age: what use cases take. */
export type CheckedCredentials = Omit<Presented, 'accessToken'> & {
  readonly accessToken?: AccessToken | undefined
}

/** What a use case is asked that takes credentials. */
type Credentialed = CheckedCredentials | { readonly presented: CheckedCredentials }

/** The same input with credentials as they came. */
export type AsPresented<Input> = Input extends { readonly presented: CheckedCredentials }
  ? Omit<Input, 'presented'> & { readonly presented: Presented }
  : Presented

/** A use case for code that has credentials as they came. */
export type ForPresented<UseCase> = UseCase extends (input: infer Input) => infer Answer
  ? (input: AsPresented<Input>) => Answer
  : never

/**
 * The use case for code that has an access token as text: it is checked before the use case runs. Refuses as
 * `CheckAccessToken` does.
 */
function forPresented<UseCase extends (input: never) => Promise<unknown>>(
  useCase: UseCase,
  checkAccessToken: CheckAccessToken,
): ForPresented<UseCase> {
  const run = useCase as unknown as (input: Credentialed) => Promise<unknown>
  const check = async (input: Presented | { readonly presented: Presented }, text: string) => {
    const accessToken = await checkAccessToken(text, { expired: 'accepted' })
    return await run(
      'presented' in input
        ? { ...input, presented: { ...input.presented, accessToken } }
        : { ...input, accessToken },
    )
  }
  const either = (input: Presented | { readonly presented: Presented }) => {
    const { accessToken } = 'presented' in input ? input.presented : input
    return typeof accessToken === 'string' ? check(input, accessToken) : run(input as Credentialed)
  }
  return either as ForPresented<UseCase>
}

/** The factory of such a use case: it takes what checks access tokens beside its parts. */
export function presented<Parts extends object, UseCase extends (input: never) => Promise<unknown>>(
  factory: (parts: Parts) => UseCase,
): (parts: Parts & { checkAccessToken: CheckAccessToken }) => ForPresented<UseCase> {
  return ({ checkAccessToken, ...parts }) =>
    forPresented(factory(parts as unknown as Parts), checkAccessToken)
}
