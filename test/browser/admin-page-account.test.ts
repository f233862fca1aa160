import { expect } from 'chai'
import { addPasskey } from '../../src/contracts/arrangements.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { Email } from '../../src/domain/identity/email.js'
import { createBrowser, type Browser } from '../support/http/browser.js'
import { PASSWORD } from '../support/http/service.js'
import { permitting } from '../support/permissions.js'
import { createPostbox, ownTemplates } from '../support/mail/postbox.js'
import { EMAIL, NOW, visitsOfAdminPage, type AdminPage, type AdminVisit } from './admin-page.js'
import { describeInChromium } from './chromium.js'

const GRACE = 'grace@example.com'
const MINUTE = 60_000

describeInChromium('an account on the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  /** The page of Grace's account, and Grace's own client. */
  async function visitGrace(options?: AdminVisit): Promise<AdminPage & { readonly grace: Browser }> {
    const admin = await visit(options)
    const id = await admin.service.account(GRACE, ['project-editor'])
    await admin.open(`users/${id}`, 'Log in')
    await admin.logIn()
    await admin.isAt(GRACE)
    return { ...admin, grace: createBrowser(admin.service, GRACE) }
  }

  it('gets a new password, and its sessions end', async () => {
    const { dialog, visitor, service, grace, ...admin } = await visitGrace()
    await grace.login()
    await admin.press(`Set password: ${GRACE}`)
    await dialog.getByLabel('Password').fill('short')
    await dialog.getByRole('button', { name: 'Set password' }).click()
    await dialog.getByText('must have 8 to 1024 characters').waitFor()
    await dialog.getByRole('button', { name: 'Generate' }).click()
    const password = await dialog.getByLabel('Password').inputValue()
    await dialog.getByRole('button', { name: 'Set password' }).click()
    await admin.says('The password was set.')
    expect((await grace.getIdentity()).status).to.equal(401)
    expect((await grace.login(password)).status).to.equal(200)
    expect(visitor.failedReplies).to.deep.equal([`${service.origin}/api/admin/users/2/password`])
  })

  it('gets a new email, unless another account has it', async () => {
    const { dialog, service, grace, page, ...admin } = await visitGrace()
    await admin.press(`Change email: ${GRACE}`)
    await dialog.getByLabel('New email').fill(EMAIL)
    await page.keyboard.press('Enter')
    await dialog.getByText('An account with this email already exists.').waitFor()
    await dialog.getByLabel('New email').fill('hopper@example.com')
    await page.keyboard.press('Enter')
    await admin.says('The email was changed.')
    await admin.isAt('hopper@example.com')
    expect((await createBrowser(service, 'hopper@example.com').login()).status).to.equal(200)
  })

  it('gets a password reset email, is unlocked after too many wrong passwords, and is enabled again', async () => {
    const postbox = createPostbox()
    const mail = { mailer: postbox.mailer, templates: ownTemplates() }
    const loginLimit = { count: 3, window: MINUTE }
    const { service, page, visitor, grace, ...admin } = await visitGrace({ mail, loginLimit })
    await admin.press(`Send reset mail: ${GRACE}`)
    await admin.says('The email was queued.')
    await service.mails().sendMails()
    expect(postbox.arrived.map(({ to }) => to)).to.deep.equal([GRACE])

    for (let attempt = 0; attempt < 3; attempt += 1) await grace.login('wrong')
    expect((await grace.login()).status).to.equal(429)
    await admin.press(`Unlock: ${GRACE}`)
    await admin.says('The user can try to log in again.')
    expect((await grace.login()).status).to.equal(200)

    await service.useCases.disableUser({ caller: OPERATOR, email: GRACE })
    await page.reload()
    await page.getByText('Disabled since 1 Jun 2026, 12:30:00').waitFor()
    await admin.press(`Enable: ${GRACE}`)
    await admin.says('The account was enabled.')
    expect((await grace.login()).status).to.equal(200)
    visitor.expectQuiet()
  })

  it('shows its passkeys, and loses a passkey', async () => {
    const settings = { passkeyDomain: { rpId: 'localhost', relatedOrigins: [] } }
    const { service, page, dialog, ...admin } = await visitGrace({ settings })
    const account = (await service.store.accounts.findByEmail(GRACE as Email)) ?? expect.fail()
    const { name } = await addPasskey(service.store, account, 'Phone <b>')
    await page.reload()
    await page.getByRole('table', { name: 'Passkeys' }).getByText(name, { exact: true }).waitFor()
    await admin.press(`Remove the passkey ${name}`)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await admin.says('The passkey was removed.')
    expect(await service.store.passkeys.listOf(account.id)).to.deep.equal([])
  })

  it('is unlocked after the administrator has confirmed the login, if the permission needs a recent proof', async () => {
    const user = ['list', 'show', { unlock: { fresh: 10 * MINUTE } }]
    const permissions = permitting({
      admin: { components: { user, auth: ['confirm'], project: ['create'] } },
    })
    const { page, service, dialog, visitor, ...admin } = await visitGrace({ permissions })
    service.clock.now = NOW + 11 * MINUTE
    await page.clock.setFixedTime(service.clock.now)
    await admin.press(`Unlock: ${GRACE}`)
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await admin.says('The user can try to log in again.')
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('loses its logins in stateless mode; in this mode, the page renews its own login without a cookie', async () => {
    const { page, service, dialog, visitor, grace, ...admin } = await visitGrace({
      mode: 'stateless-revocable',
    })
    service.clock.now = NOW + 20 * MINUTE
    await page.clock.setFixedTime(service.clock.now)
    await visitor.context.addCookies([{ name: 'theme', value: 'dark', url: service.origin }])
    const renewal = page.waitForRequest('**/api/auth/refresh')
    await page.reload()
    expect(await (await renewal).headerValue('Cookie')).to.equal(null)
    await admin.isAt(GRACE)
    await grace.login()
    await admin.press('End all sessions')
    await dialog.getByRole('button', { name: 'End all sessions' }).click()
    await admin.says('All sessions have ended.')
    expect((await grace.getIdentity()).status).to.equal(401)
    await admin.press('Log out')
    await admin.isAt('Log in')
    visitor.expectQuiet()
  })
})
