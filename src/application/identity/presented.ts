import type { Claims } from '../../domain/identity/claims.js'
import type { Instant } from '../../domain/instant.js'
import { MUST_BE } from '../../domain/messages.js'
import { invalidToken, type Refusal } from '../../domain/refusal.js'
import type { Clock } from '../../ports/system.js'
import type { TokenSigner, Verification } from '../../ports/tokens.js'
import type { ClientContext } from '../client-context.js'
import {
  anything,
  fields,
  optional,
  readArguments,
  text,
  that,
  type Parser,
  type ReadBy,
  type Shape,
} from '../fields.js'
import { client } from '../inputs.js'
import type { AssertPermitted } from '../operation.js'
import { judgeTimes } from './token-signer.js'

/**
 * An authentic access token. Only `CheckAccessToken` creates such a token, and no other object is accepted as an access token. A token may
 * be stored, so each use checks again whether it has expired.
 */
class AccessToken {
  readonly #tokens: TokenSigner
  readonly claims: Claims

  constructor(tokens: TokenSigner, claims: Claims) {
    this.#tokens = tokens
    this.claims = claims
    Object.freeze(this)
  }

  /** Returns the signer that verified the token, or `undefined` for any other value from an untyped caller. */
  static signerOf(value: unknown): TokenSigner | undefined {
    return typeof value === 'object' && value !== null && #tokens in value ? value.#tokens : undefined
  }
}

// Only the type is exported, so no other module can create a token.
export type { AccessToken }

/**
 * Checks an access token without reading its session. Refuses with `invalid-token`; an expired token passes only if `expired` is
 * `accepted`. Resolves with `undefined` if there is no token.
 */
export type CheckAccessToken = (
  token: string | undefined,
  options?: { readonly expired: 'refused' | 'accepted' },
) => Promise<AccessToken | undefined>

export function createCheckAccessToken(parts: { tokens: TokenSigner; clock: Clock }): CheckAccessToken {
  const { tokens, clock } = parts
  return async (token, options) => {
    if (token === undefined) return undefined
    const judged = await tokens.verify('access', token, clock())
    if (judged.kind === 'valid' || (judged.kind === 'expired' && options?.expired === 'accepted'))
      return new AccessToken(tokens, judged.claims)
    throw refusalOf(judged)
  }
}

/** Returns whether an untyped value is an authentic token of any signer. */
export function isAccessToken(value: unknown): value is AccessToken {
  return AccessToken.signerOf(value) !== undefined
}

export function isVerifiedBy(tokens: TokenSigner, token: AccessToken): boolean {
  return AccessToken.signerOf(token) === tokens
}

/** Returns the claims of a token that may have expired. Refuses an unverified object with `invalid-token`. */
export function claimsOf(token: AccessToken | undefined): Claims | undefined {
  if (token === undefined) return undefined
  // An untyped caller may pass any object.
  if (!isAccessToken(token)) throw invalidToken('the access token was not checked')
  return token.claims
}

/** Returns the claims of a token that has not expired at `at`. Refuses with `invalid-token`. */
export function unexpiredClaims(token: AccessToken | undefined, at: Instant): Claims | undefined {
  const claims = claimsOf(token)
  if (!claims) return undefined
  const judged = judgeTimes(claims, at)
  if (judged.kind === 'valid') return judged.claims
  throw refusalOf(judged)
}

function refusalOf(judged: Exclude<Verification, { readonly kind: 'valid' }>): Refusal {
  return invalidToken(judged.kind === 'invalid' ? judged.detail : 'the access token has expired')
}

/** The credentials of a request. A credential that was not sent is absent. */
export type Presented = {
  /** The token as a string, or the result of `checkAccessToken`. */
  readonly accessToken?: string | AccessToken | undefined
  /** The content of the session cookie; ignored in stateless mode. */
  readonly sessionKey?: string | undefined
  readonly client?: ClientContext | undefined
}

export const presentedInput: Parser<Presented> = fields({
  accessToken: optional(
    that<string | AccessToken>(MUST_BE.string, (value) => typeof value === 'string' || isAccessToken(value)),
  ),
  sessionKey: optional(text),
  client: optional(client),
})

/** Credentials with a checked access token that may have expired. */
export type CheckedCredentials = Omit<Presented, 'accessToken'> & {
  readonly accessToken?: AccessToken | undefined
}

/** An input with a checked access token. The input is either the credentials or an object that contains them as `presented`. */
export type CheckedInput<Input> = Input extends { readonly presented: Presented }
  ? Omit<Input, 'presented'> & { readonly presented: CheckedCredentials }
  : CheckedCredentials

/**
 * If an access token is passed as a string, checks it before the function runs. A token that has already been checked is not checked again.
 * Refuses in the same cases as `CheckAccessToken`.
 */
export function withCheckedToken<Input extends object, Answer>(
  run: (input: CheckedInput<Input>) => Promise<Answer>,
  checkAccessToken: CheckAccessToken,
): (input: Input) => Promise<Answer> {
  type CredentialsInput = Presented | { readonly presented: Presented }
  const check = async (input: CredentialsInput, token: string) => {
    const accessToken = await checkAccessToken(token, { expired: 'accepted' })
    const checked =
      'presented' in input
        ? { ...input, presented: { ...input.presented, accessToken } }
        : { ...input, accessToken }
    return await run(checked as CheckedInput<Input>)
  }
  return (raw) => {
    const input = raw as CredentialsInput
    const { accessToken } = 'presented' in input ? input.presented : input
    return typeof accessToken === 'string'
      ? check(input, accessToken)
      : run(raw as unknown as CheckedInput<Input>)
  }
}

/** Checks that an operation runs itself, in order to control which refusal comes first. */
export type Checks<Members = unknown> = {
  readonly assertPermitted: AssertPermitted
  /** Returns the validated form; refuses with `malformed`. */
  readonly read: (input: object) => Members
}

type Members<S extends Shape> = ReadBy<ReturnType<typeof fields<S>>>
type Unread<S extends Shape> = { readonly [Name in keyof Members<S>]: unknown }

/** Returns a parser for credentials and a form. The form is left unchecked until `read` is called, after the credentials are checked. */
export function formParser<S extends Shape>(shape: S) {
  const members = Object.entries(shape)
  const unread = members.map(([name, { isOptional }]) => [name, isOptional ? optional(anything) : anything])
  const parser: Parser<Members<S>> = (value, _field, errors) => {
    const all: Record<string, unknown> = {}
    for (const [name, parse] of members) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      if (member !== undefined || !parse.isOptional) all[name] = parse(member, name, errors)
    }
    return all as Members<S>
  }
  const input = fields({ ...(Object.fromEntries(unread) as Shape), presented: presentedInput })
  return Object.assign(input as Parser<Unread<S> & { readonly presented: Presented }>, {
    /** Returns the validated form. Refuses with `malformed`; the refusal names every member with the wrong type. */
    read: (raw: object) => readArguments([['', parser]], [raw])[0] as Members<S>,
  })
}

/** A text field in a form; the parser accepts a missing value, because the operation refuses it as `required`. */
export const formText: Parser<string | undefined> = (value, field, errors) =>
  value === undefined ? undefined : text(value, field, errors)
