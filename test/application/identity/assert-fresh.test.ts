import { expect } from 'chai'
import { withoutHash } from '../../../src/contracts/arrangements.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { permitting } from '../../support/permissions.js'
import { createAuthenticator } from '../../support/passkey-authenticator.js'
import { addPasskey, passkeyLogin } from '../../support/passkeys.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const ADA = 'ada@example.com'
const TEN_MINUTES = 600_000
const STALE = ['fresh-login-required', 'passkey', 'Required']
const NO_PASSWORD = ['invalid', 'password', 'Required']

const permissions = permitting({
  user: {
    components: {
      auth: ['passkey', 'confirm', 'second-factor', 'change-email', 'export-account', 'delete-account'],
    },
  },
})

/** Operations that require the password from an account that has one; the last operation ends the login. */
const CHANGES: Readonly<Record<string, (kennel: Composed, presented: Presented) => Promise<unknown>>> = {
  exportAccount: ({ useCases }, presented) => useCases.exportAccount({ presented }),
  requestEmailChange: ({ useCases }, presented) =>
    useCases.requestEmailChange({ email: 'new@example.com', presented }),
  setUpSecondFactor: ({ useCases }, presented) => useCases.setUpSecondFactor({ presented }),
  deleteAccount: ({ useCases }, presented) => useCases.deleteAccount({ presented }),
}

describe('a fresh login', () => {
  for (const mode of ['stateful', 'stateless'] as const) {
    it(`is accepted instead of the password if the account has no password: ${mode}`, async () => {
      const lifetimes = { accessToken: 6 * TEN_MINUTES }
      const kennel = await composeUseCases({ passkeys: true, permissions, mode, lifetimes })
      const { useCases, clock, store } = kennel
      const authenticator = createAuthenticator()
      const account = await withoutHash(store, 'bob')
      await addPasskey(kennel, presentedBy(await useCases.startLogin(account, {})), authenticator)
      let presented = presentedBy(await passkeyLogin(kennel, authenticator))
      for (const [name, change] of Object.entries(CHANGES)) {
        clock.now += TEN_MINUTES + 1000
        expect(await refused(change(kennel, presented)), name).to.deep.equal(STALE)
        const passkey = authenticator.get(await useCases.beginPasskeyConfirmation(presented))
        presented = presentedBy(await useCases.confirmLogin({ passkey, presented }))
        // A fresh login cannot confirm itself: a new proof of identity is required.
        expect(await refused(useCases.confirmLogin({ presented })), name).to.deep.equal(NO_PASSWORD)
        await change(kennel, presented)
      }
      expect(await store.accounts.find(account.id)).to.equal(undefined)
    })
  }

  it('is not accepted instead of the password if the account has a password', async () => {
    const kennel = await composeUseCases({ passkeys: true, permissions })
    await kennel.account(ADA)
    const presented = presentedBy(await kennel.login(ADA))
    for (const [name, change] of Object.entries(CHANGES))
      expect(await refused(change(kennel, presented)), name).to.deep.equal(NO_PASSWORD)
    await kennel.useCases.deleteAccount({ password: PASSWORD, presented })
  })

  it('is not required if neither passkeys nor conditions are enabled', async () => {
    const kennel = await composeUseCases()
    const account = await withoutHash(kennel.store, 'bob')
    const presented = presentedBy(await kennel.useCases.startLogin(account, {}))
    expect(
      await refused(CHANGES['setUpSecondFactor']?.(kennel, presented) as Promise<unknown>),
    ).to.deep.equal(NO_PASSWORD)
  })
})
