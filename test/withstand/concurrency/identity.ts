import type { Reply } from '../../support/http/client.js'
import { keep, LOGIN, type Held } from '../../support/http/browser.js'
import { PASSWORD } from '../../support/use-cases.js'
import { prepare } from './calls.js'
import type { Place } from './place.js'

/** An answer of which the status says all. */
export type Answer = { readonly status: number }

export function statusOf(reply: Reply | undefined): Answer | undefined {
  return reply && { status: reply.status }
}

/** An account with `PASSWORD` that no other history has. */
export async function freshAccount({ kennel, freshName }: Place): Promise<string> {
  const email = `${freshName('guest')}@example.com`
  await kennel.account(email)
  return email
}

/** A login that has to succeed. */
export async function loginTo(place: Place, email: string): Promise<Held> {
  const reply = await prepare(place, 'POST', LOGIN, { json: { email, password: PASSWORD } })
  if (reply.status !== 200) throw new Error(`the login failed: ${reply.text}`)
  return keep({}, reply)
}
