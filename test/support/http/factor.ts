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

/** A client whose account has a second factor that was confirmed a moment ago. */
export type Guarded = Browser & {
  readonly id: number
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** Returns the current code, or the code of a later time step, because the current code was used for the confirmation. */
  readonly code: (later?: number) => string
}

type View = Readonly<Record<string, unknown>>

export function viewOf({ json }: Reply): View {
  return (json as { readonly view: View }).view
}

async function setUp(browser: Browser, password = PASSWORD): Promise<Reply> {
  return await browser.send('POST', SET_UP, { json: { password } })
}

/** Sets up a second factor and confirms it. */
export async function guarded(service: TestService, roles: readonly string[] = []): Promise<Guarded> {
  const browser = await newcomer(service, roles)
  const secret = String(viewOf(await setUp(browser))['secret'])
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
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return await client.call('POST', LOGIN, { headers, json: { email, password: PASSWORD, code } })
}
