import { expect } from 'chai'
import { permitting } from '../support/permissions.js'
import { PASSWORD } from '../support/http/service.js'
import { EMAIL, expectAccessible, NOW, visitsOfAdminPage, type AdminVisit } from './admin-page.js'
import { authenticatorOf, NO_AUTOFILL, PHONE, describeInChromium } from './chromium.js'

const MINUTE = 60_000
const GRACE = 'grace@example.com'
const BEGIN = '/api/auth/login/passkey/begin'

describeInChromium('passkeys on the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  /** Logs in the administrator, and adds a passkey. The browser suggests the passkey only if `isSuggested` is set. */
  async function withPasskey(options: AdminVisit = {}, isSuggested = false) {
    const admin = await visit({ passkeys: true, localhost: true, settings: { userPages: true }, ...options })
    const { page, service } = admin
    await authenticatorOf(page)
    if (!isSuggested) await page.addInitScript(NO_AUTOFILL)
    await page.goto(`${service.origin}/login`)
    await admin.logIn()
    await admin.press('Add a passkey')
    await admin.says('Your passkey was added.')
    return admin
  }

  it('log the administrator in from the suggestions of the email field, without leaving the current page', async () => {
    const { page, visitor, ...admin } = await withPasskey({}, true)
    await admin.open('roles', 'Roles')
    // The browser suggests the passkey, and its authenticator confirms immediately.
    const login = page.waitForResponse('**/api/auth/login/passkey')
    await admin.press('Log out')
    expect((await login).status()).to.equal(200)
    await admin.isAt('Roles')
    visitor.expectQuiet()
  })

  it('log the administrator in and confirm the login by keyboard, on a phone in dark colors', async () => {
    const fresh = 10 * MINUTE
    const user = [{ list: { fresh }, unlock: { fresh } }, 'show']
    const permissions = permitting({
      admin: { components: { user, auth: ['*'], project: ['create'] } },
    })
    const browser = { ...PHONE, colorScheme: 'dark' } as const
    const { page, visitor, service, dialog, ...admin } = await withPasskey({ permissions, browser })
    const id = await service.account(GRACE)
    await admin.press('Log out')
    await admin.isAt('Log in')
    await admin.open(`users/${id}`, 'Log in')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).press('Enter')
    await admin.isAt(GRACE)
    const laterBy = async (minutes: number) => {
      service.clock.now = NOW + minutes * MINUTE
      await page.clock.setFixedTime(service.clock.now)
    }
    await laterBy(11)
    await page.getByRole('button', { name: `Unlock: ${GRACE}` }).press('Enter')
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await expectAccessible(page)
    for (const _ of ['Code of your second factor', 'Confirm that it is you', 'Use a passkey'])
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await admin.says('The user can try to log in again.')
    await laterBy(22)
    await page.getByRole('link', { name: 'Accounts' }).press('Enter')
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
    await admin.isAt('Accounts')
    await page.getByRole('link', { name: GRACE }).waitFor()
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('are the only way to confirm a login if the service names no other way', async () => {
    const { page, dialog, service, visitor, ...admin } = await withPasskey()
    const id = await service.account(GRACE)
    const message = 'passkey: fresh-login-required'
    // After a 401, the client refreshes its tokens and repeats the request.
    await page.route('**/unlock', (route) => route.fulfill({ status: 401, json: { code: 401, message } }), {
      times: 2,
    })
    await admin.open(`users/${id}`, GRACE)
    await admin.press(`Unlock: ${GRACE}`)
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    expect(await dialog.getByRole('textbox').count()).to.equal(0)
    await admin.press('Use a passkey')
    await admin.says('The user can try to log in again.')
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('stop being suggested when the user logs in, even in another tab', async () => {
    const { page, visitor, service, ...admin } = await visit({ passkeys: true, localhost: true })
    const begun = page.waitForResponse(`**${BEGIN}`)
    await admin.open('roles', 'Log in')
    await begun
    const other = await visitor.tab()
    await other.goto(`${service.origin}/admin#/users`)
    await other.getByLabel('Email', { exact: true }).fill(EMAIL)
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await admin.isAt('Roles')
    const count = () => visitor.requests.filter((one) => one.endsWith(BEGIN)).length
    const before = count()
    // Longer than the lifetime of a challenge.
    await page.clock.runFor(10 * MINUTE)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await admin.isAt('Accounts')
    expect(count()).to.equal(before)
    visitor.expectQuiet()
  })
})
