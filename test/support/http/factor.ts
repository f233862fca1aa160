import type { Reply } from './client.js'
import { LOGIN, newcomer, type Browser } from './browser.js'
import { PASSWORD, type TestService } from './service.js'
import { oneTimeCode } from '../one-time-code.js'

export const FACTOR = '/api/auth/second-factor'
export const SET_UP = `${FACTOR}/set-up`
export const CONFIRM = `${FACTOR}/confirm`
export const REMOVE = `${FACTOR}/remove`
export const RECOVERY_CODES = `${FACTOR}/recovery-codes`
export const STEP = 30_000

type View = Readonly<Record<string, unknown>>

export function viewOf({ json }: Reply): View {
  return (json as { readonly view: View }).view
}

/** Creates a client, and sets up and confirms a second factor. */
export async function guarded(service: TestService, roles: readonly string[] = []) {
  const browser = await newcomer(service, roles)
  const begun = await browser.send('POST', SET_UP, { json: { password: PASSWORD } })
  const secret = String(viewOf(begun)['secret'])
  /** Returns the current code, or the code of a later time step, because the current code was used for the confirmation. */
  const code = (later = 0) => oneTimeCode(secret, service.clock.now + later * STEP)
  const reply = await browser.send('POST', CONFIRM, { json: { code: code() } })
  if (reply.status !== 200) throw new Error(`the confirmation failed: ${reply.text}`)
  return { ...browser, secret, code, recoveryCodes: viewOf(reply)['recoveryCodes'] as string[] }
}

/** A login with a code, from a client without credentials. */
export async function logInWith(
  { client }: Pick<TestService, 'client'>,
  { email }: Pick<Browser, 'email'>,
  code: unknown,
): Promise<Reply> {
  return await client.call('POST', LOGIN, { json: { email, password: PASSWORD, code } })
}
