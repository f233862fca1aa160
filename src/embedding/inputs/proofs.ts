import type { Authorized } from '../../application/access/authorize.js'
import { isAccessToken, type AccessToken } from '../../application/identity/check-access-token.js'
import type { Argument } from './argument.js'
import { malformed } from './values.js'

/** Knows what this Kennel has judged itself, and what it judges. */
export type Proofs = {
  /** What `authorize` is asked, components of the embedder's own included. */
  readonly authorize: readonly Argument<unknown>[]
  readonly isAuthorized: (value: unknown) => value is Authorized
  readonly isVerified: (token: AccessToken) => boolean
}

type Unproven = { readonly authorized: unknown; readonly caller?: unknown }

/** An input that brings a proof, as a copy; `undefined` where there is none in it. */
export function proofIn(input: unknown): Unproven | undefined {
  if (typeof input !== 'object' || input === null || !('authorized' in input)) return undefined
  const { authorized } = input
  return { ...input, authorized }
}

/** Refuses with `malformed` what looks like a proof, and one of another permission than this use case needs. */
export function assertAuthorized(
  permission: readonly string[],
  input: Unproven,
  proofs: Proofs | undefined,
): Unproven & { readonly authorized: Authorized } {
  const { authorized } = input
  if (
    !proofs?.isAuthorized(authorized) ||
    permission.join() !== [authorized.component, authorized.action].join()
  )
    throw malformed('authorized', `must be what authorize answered for ${permission.join(': ')}`)
  if ('caller' in input) throw malformed('caller', 'cannot be given together with authorized')
  return { ...input, authorized }
}

/** Refuses with `malformed` an access token that another Kennel has checked: here it proves nothing. */
export function assertVerified(input: unknown, proofs: Proofs | undefined): void {
  const presented = memberOf(input, 'presented') ?? input
  const accessToken = memberOf(presented, 'accessToken')
  if (isAccessToken(accessToken) && !proofs?.isVerified(accessToken))
    throw malformed(
      presented === input ? 'accessToken' : 'presented.accessToken',
      'was checked by another Kennel',
    )
}

/** Of what a schema has made. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
