import { expect } from 'chai'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import { PASSWORD } from '../../../support/use-cases.js'

const ADA = 'ada@example.com'
const presented = {}

const ask = ({ useCases }: ComposedProofs, email = ADA) => useCases.requestSignUp({ email, presented })

describe('a sign-up', () => {
  it('makes an account with the token from the email, and logs in', async () => {
    const kennel = await composeProofs()
    await ask(kennel)
    const { token, to } = await kennel.mailed()
    expect(to).to.equal(ADA)
    const issued = await kennel.useCases.confirmSignUp({ token, password: PASSWORD, presented })
    expect(issued?.identity).to.include({ accountId: 1, email: ADA })
    expect((await kennel.login(ADA)).identity.accountId).to.equal(1)
  })

  it('makes an account with the code only in the browser that asked', async () => {
    const kennel = await composeProofs()
    const { browserSecret } = await ask(kennel)
    const { code } = await kennel.mailed()
    const confirm = (secret: string | undefined) =>
      outcomeOf(kennel.useCases.confirmSignUp({ code, browserSecret: secret, password: PASSWORD, presented }))
    for (const other of [undefined, '', 'x'.repeat(43)])
      expect(await confirm(other)).to.equal('invalid code not-valid')
    expect(await confirm(browserSecret)).to.equal('done')
    expect(await confirm(browserSecret)).to.equal('invalid code not-valid')
  })
})

describe('a change of email', () => {
  it('moves the account to the new address, and the previous address can undo it', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    const { accessToken, sessionKey } = await kennel.login(ADA)
    const own = { presented: { accessToken, ...(sessionKey !== undefined && { sessionKey }) } }
    const email = 'lovelace@example.com'
    await kennel.useCases.requestEmailChange({ ...own, email, password: PASSWORD })
    const { token, to } = await kennel.mailed()
    expect(to).to.equal(email)
    await kennel.useCases.confirmEmailChange({ token, presented })
    expect((await kennel.login(email)).identity.email).to.equal(email)
    const undo = await kennel.mailed()
    expect(undo.to).to.equal(ADA)
    await kennel.useCases.undoEmailChange({ token: undo.token, presented })
    expect((await kennel.login(ADA)).identity.email).to.equal(ADA)
  })
})

describe('a login by email', () => {
  it('logs in with the link in the browser that asked', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    const { browserSecret } = await kennel.useCases.requestLoginMail({ email: ADA, presented })
    const { token, code } = await kennel.mailed()
    const confirm = (given: object) => outcomeOf(kennel.useCases.confirmLoginMail({ ...given, presented }))
    expect(await confirm({ token })).to.equal('invalid token other-browser')
    expect(await confirm({ code: code.toLowerCase(), browserSecret })).to.equal('done')
    expect(await confirm({ token, browserSecret })).to.equal('invalid token not-valid')
  })
})
