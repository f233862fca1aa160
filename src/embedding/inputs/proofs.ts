import type { Authorized } from '../../application/access/authorize.js'
import { Refusal } from '../../domain/refusal.js'

/** Whether a value is a proof of the permissions that are in force. */
export type IsAuthorized = (value: unknown) => value is Authorized

type Unproven = { readonly authorized: unknown; readonly caller?: unknown }

/** An input that brings a proof, as a copy; `undefined` where there is none in it. */
export function proofIn(input: unknown): Unproven | undefined {
  if (typeof input !== 'object' || input === null || !('authorized' in input)) return undefined
  const { authorized } = input
  return { ...input, authorized }
}

/** Refuses with `malformed` what looks like a proof, and one of another permission than this use case needs. */
export function assertProof(
  permission: readonly string[],
  input: Unproven,
  isAuthorized: IsAuthorized,
): Unproven & { readonly authorized: Authorized } {
  const { authorized } = input
  if (!isAuthorized(authorized) || permission.join() !== [authorized.component, authorized.action].join())
    throw malformed('authorized', `must be what authorize answered for ${permission.join(': ')}`)
  if ('caller' in input) throw malformed('caller', 'cannot be given together with authorized')
  return { ...input, authorized }
}

function malformed(field: string, message: string): Refusal {
  return new Refusal('malformed', [{ field, type: 'Format', message }])
}
