import type { CDPSession, Page } from 'playwright-core'

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** Makes the browser suggest no passkeys, so that a test must press the button. */
export const NO_AUTOFILL = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

/** A virtual authenticator that uses passkeys without asking the user. */
type Authenticator = {
  readonly id: string
  readonly cdp: CDPSession
}

export async function authenticatorOf(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return { id, cdp }
}
