import { expect } from 'chai'
import { passkeyHolder, passkeyLogin } from '../../../support/passkeys.js'
import { composeUseCases, presentedBy } from '../../../support/use-cases.js'

const ADA = 'ada@example.com'

describe('a login with a passkey', () => {
  it('works', async () => {
    const kennel = await composeUseCases({ passkeys: true })
    const { authenticator, passkey } = await passkeyHolder(kennel, ADA)
    expect(passkey).to.include({ name: 'Passkey' })
    const issued = await passkeyLogin(kennel, authenticator)
    expect(issued.identity.email).to.equal(ADA)
    expect(await kennel.useCases.listPasskeys(presentedBy(issued))).to.have.length(1)
  })
})
