import type { Issued } from '../../src/application/identity/issue.js'
import type { PasskeyView } from '../../src/application/identity/passkeys/own-passkeys.js'
import type { Presented } from '../../src/application/identity/presented.js'
import { createAuthenticator, type Authenticator, type Misbehaviour } from './passkey-authenticator.js'
import { presentedBy, type Composed } from './use-cases.js'

/** Creates an account, logs it in with the password, and adds a passkey. */
export async function passkeyHolder(kennel: Composed, email: string, authenticator = createAuthenticator()) {
  await kennel.account(email)
  const issued = await kennel.login(email)
  return { authenticator, issued, passkey: await addPasskey(kennel, presentedBy(issued), authenticator) }
}

export async function addPasskey(
  { useCases }: Composed,
  presented: Presented,
  authenticator = createAuthenticator(),
  changes: Misbehaviour = {},
): Promise<PasskeyView> {
  const options = await useCases.beginPasskey(presented)
  return await useCases.addPasskey({ credential: authenticator.create(options, changes), presented })
}

/** Logs in with the passkey of the authenticator. */
export async function passkeyLogin(
  { useCases }: Composed,
  authenticator: Authenticator,
  changes: Misbehaviour = {},
): Promise<Issued> {
  const { options, browserSecret } = await useCases.beginPasskeyLogin({ presented: {} })
  const credential = authenticator.get(options, changes)
  return await useCases.loginWithPasskey({ credential, browserSecret, presented: {} })
}
