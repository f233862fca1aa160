import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { PASSWORD } from '../support/http/service.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { createGate } from '../support/watched-store.js'
import { expectAccessible } from './admin-page.js'
import { authenticatorOf, NO_AUTOFILL, PHONE, describeInChromium } from './chromium.js'
import { servedPages, userPage, type UserPage } from './pages.js'

const EMAIL = 'ada@example.com'
/** Prevents a tab from sharing its login with other tabs. */
const APART = 'delete window.BroadcastChannel'
const WITH_PASSKEY = 'Log in with a passkey'
const CONFIRM = 'Confirm that it is you'
const LOGIN = '/api/auth/login/passkey'

describeInChromium('passkeys on the pages for users', (chromium) => {
  const serve = servedPages(chromium)

  async function withPasskey(options: Parameters<typeof serve>[0] = {}, isSuggested = false) {
    const served = await serve({ passkeys: true, localhost: true, ...options })
    await served.service.account(EMAIL)
    const user = await served.visit(PHONE)
    const authenticator = await authenticatorOf(user.page)
    if (!isSuggested) await user.page.addInitScript(NO_AUTOFILL)
    await user.open('login', 'Log in')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await user.isAt(EMAIL)
    await user.press('Add a passkey')
    await user.says('Your passkey was added.')
    return { ...served, user, authenticator }
  }

  const logOut = async ({ press, isAt }: UserPage) => {
    await press('Log out')
    await isAt('Log in')
  }

  it('are added with a name, renamed, suggested in the email field, and removed', async () => {
    const { user } = await withPasskey({}, true)
    const { page, visitor } = user
    await page.getByText('Created:').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
    await page.getByRole('button', { name: /^Rename: Chrom/ }).click()
    await user.send({ Name: 'My phone' })
    await user.says('The passkey was renamed.')
    await user.press('Log out')
    // The browser suggests the passkey, and its authenticator confirms immediately.
    await page.getByText('Last used:').waitFor()
    await user.isAt(EMAIL)
    await user.press('Remove: My phone')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await user.says('The passkey was removed.')
    await page.getByText('None yet.').waitFor()
    visitor.expectQuiet()
  })

  it('log a user in without an email, replace the code of the second factor, and confirm a login', async () => {
    const { user, service } = await withPasskey()
    const { page, visitor } = user
    await logOut(user)
    await expectAccessible(page)
    await user.press(WITH_PASSKEY)
    await user.isAt(EMAIL)

    await user.press('Set up second factor')
    await user.send({ Password: PASSWORD })
    const secret = await page.locator('code').innerText()
    await user.send({ 'Code from the app': oneTimeCode(secret, service.clock.now) })
    await user.press('I have stored the codes')
    await user.says('Your second factor is enabled.')
    await logOut(user)
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await page.getByText('Enter the code of your second factor.').waitFor()
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/auth/login'))
    await user.press(WITH_PASSKEY)
    expect((await sent).postDataJSON())
      .to.include({ email: EMAIL })
      .and.have.property('passkey')
    await user.isAt(EMAIL)

    service.clock.now += 660_000
    await user.press('Add a passkey')
    await page.getByRole('heading', { name: CONFIRM }).waitFor()
    await expectAccessible(page)
    await user.press('Use a passkey')
    // The authenticator already has a passkey of the account.
    await page.getByText('This device already has a passkey for your account.').waitFor()
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('confirm the login of a user without a password, and the dialog does not ask for a password', async () => {
    const { service, visit, mailed } = await serve({ passkeys: true, localhost: true })
    await service.useCases.importUsers({ caller: OPERATOR })({ email: EMAIL })
    const user = await visit(PHONE)
    const { page, visitor } = user
    await authenticatorOf(page)
    await page.addInitScript(NO_AUTOFILL)
    await user.open('login#by=mail', 'Log in')
    await user.send({ Email: EMAIL })
    await page.getByLabel('Code from the email').waitFor()
    await user.send({ 'Code from the email': (await mailed())['code'] ?? '' })
    await user.isAt(EMAIL)
    await user.press('Add a passkey')
    await user.says('Your passkey was added.')

    service.clock.now += 660_000
    await user.press('Delete account')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: CONFIRM })
    await dialog.waitFor()
    await expectAccessible(page)
    expect(await dialog.locator('input').count()).to.equal(0)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await user.says('Your account was deleted.')
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('are rejected with a wrong signature, without user verification, or with a lower counter', async () => {
    const { user, authenticator } = await withPasskey()
    const { page, visitor } = user
    const { id: authenticatorId, cdp } = authenticator
    await logOut(user)
    const refused = async (message: string) => {
      await user.press(WITH_PASSKEY)
      await page.getByText(message).waitFor()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Log in')
      await page.reload()
    }
    for (const bits of [{ isBogusSignature: true }, { isBadUV: true }, { isBadUP: true }]) {
      await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId, ...bits })
      await refused('This passkey was not accepted.')
    }
    await cdp.send('WebAuthn.setResponseOverrideBits', { authenticatorId })

    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await refused('No passkey was used.')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })

    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await user.press(WITH_PASSKEY)
    await user.isAt(EMAIL)
    await logOut(user)
    // The copied passkey has the counter from before the last login.
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    const [credential] = credentials
    if (credential) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    await refused('This passkey was not accepted.')
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('have a separate challenge in each of two tabs', async () => {
    const { user, service, authenticator } = await withPasskey()
    const { visitor } = user
    await logOut(user)
    const { id: authenticatorId, cdp } = authenticator
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const other = userPage({ ...visitor, page: await visitor.tab() }, service.origin)
    const { id, cdp: otherCdp } = await authenticatorOf(other.page)
    const [credential] = credentials
    if (!credential) throw new Error('the authenticator has no passkey')
    // Each authenticator has a separate counter, and the service refuses a lower value.
    const later = { ...credential, signCount: 100 }
    await otherCdp.send('WebAuthn.addCredential', { authenticatorId: id, credential: later })
    for (const script of [NO_AUTOFILL, APART]) await other.page.addInitScript(script)
    await other.open('login', 'Log in')

    // Both tabs have their challenge before one of them logs in.
    const replyTo = (one: UserPage, path: string) => one.page.waitForResponse(`**${path}`)
    const replies = [user, other].map((one) => replyTo(one, LOGIN))
    const gate = createGate()
    await user.page.route(`**${LOGIN}`, async (route) => {
      await gate.pass()
      await route.continue()
    })
    for (const one of [user, other]) {
      const begun = replyTo(one, `${LOGIN}/begin`)
      await one.press(WITH_PASSKEY)
      await begun
    }
    gate.release()
    expect((await Promise.all(replies)).map((reply) => reply.status())).to.deep.equal([200, 200])
    // Each login ends the session of the previous login in this browser.
    await other.isAt(EMAIL)
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })
})
