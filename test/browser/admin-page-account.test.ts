import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { addPasskey } from '../../src/contracts/arrangements.js'
import { aNewAccount, anAuditRecord } from '../../src/contracts/samples.js'
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
    await admin.enter(`users/${id}`, GRACE)
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

  it('gets a password reset email', async () => {
    const postbox = createPostbox()
    const mail = { mailer: postbox.mailer, templates: ownTemplates() }
    const { service, visitor, ...admin } = await visitGrace({ mail })
    await admin.press(`Send reset mail: ${GRACE}`)
    await admin.says('The email was queued.')
    await service.mails().sendMails()
    expect(postbox.arrived.map(({ to }) => to)).to.deep.equal([GRACE])
    visitor.expectQuiet()
  })

  it('shows its passkeys, and loses a passkey unless it is the only way to log in', async () => {
    const settings = { passkeyDomain: { rpId: 'localhost', relatedOrigins: [] } }
    const { service, page, dialog, ...admin } = await visitGrace({ settings })
    const { accounts, passkeys } = service.store
    const { email, createdAt } = aNewAccount('passkey-only')
    const only = await accounts.insert({ email, createdAt })
    const grace = await accounts.findByEmail(GRACE as Email)
    const other = only.kind === 'inserted' ? await accounts.find(only.id) : undefined
    if (!grace || !other) throw new Error('there are both accounts')
    const phone = await addPasskey(service.store, grace, 'Phone <b>')
    await addPasskey(service.store, other, 'Key')
    for (const [account, name] of [
      [other, 'Key'],
      [grace, phone.name],
    ] as const) {
      await admin.open(`users/${account.id}`, account.email)
      await page.getByRole('table', { name: 'Passkeys' }).getByText(name, { exact: true }).waitFor()
      await admin.press(`Remove the passkey ${name}`)
      await dialog.getByRole('button', { name: 'Remove' }).click()
      if (account === grace) await admin.says('The passkey was removed.')
      else {
        await dialog.getByText('This is the only way to log in').waitFor()
        await page.keyboard.press('Escape')
      }
    }
    expect(await passkeys.listOf(grace.id)).to.deep.equal([])
    expect(await passkeys.listOf(other.id)).to.have.lengthOf(1)
  })

  it('is unlocked after too many wrong passwords', async () => {
    const { service, visitor, grace, ...admin } = await visitGrace({
      loginLimit: { count: 3, window: MINUTE },
    })
    for (let attempt = 0; attempt < 3; attempt += 1) await grace.login('wrong')
    expect((await grace.login()).status).to.equal(429)
    await admin.press(`Unlock: ${GRACE}`)
    await admin.says('The user can try to log in again.')
    expect((await grace.login()).status).to.equal(200)
    visitor.expectQuiet()
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

  it('is enabled again', async () => {
    const { page, service, visitor, grace, ...admin } = await visitGrace()
    await service.useCases.disableUser({ caller: OPERATOR, email: GRACE })
    await page.reload()
    await page.getByText('Disabled since 1 Jun 2026, 12:30:00').waitFor()
    expect((await grace.login()).status).to.equal(401)
    await admin.press(`Enable: ${GRACE}`)
    await admin.says('The account was enabled.')
    await page.getByText('Enabled', { exact: true }).waitFor()
    expect((await grace.login()).status).to.equal(200)
    visitor.expectQuiet()
  })

  it('cannot be changed by a caller with fewer permissions', async () => {
    const { page, dialog, grace, ...admin } = await visitGrace({ roles: ['helpdesk'] })
    const refusal = /This needs the permission "project: create", which you do not have. \(request ID: /
    await admin.press(`Unlock: ${GRACE}`)
    await page.getByRole('alert').filter({ hasText: refusal }).waitFor()
    await admin.press(`Set password: ${GRACE}`)
    await dialog.getByRole('button', { name: 'Generate' }).click()
    await dialog.getByRole('button', { name: 'Set password' }).click()
    await dialog.getByRole('alert').filter({ hasText: refusal }).waitFor()
    expect((await grace.login()).status).to.equal(200)
    expect(await page.getByText('false').count()).to.equal(0)
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

describeInChromium('the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  it('counts only the newest 2,000 logins, and says so', async () => {
    const { page, service, visitor, ...admin } = await visit({ store: createMemoryStore() })
    for (let second = 1; second <= 2000; second += 1)
      await service.store.audit.append(anAuditRecord(String(second), { at: NOW - second * 1000 }))
    await admin.enter('logins', 'Logins')
    await page.getByText('Only the newest 2000 records are counted, since 1 Jun 2026, 11:56:41.').waitFor()
    await page.getByText('Succeeded: 2000').waitFor()
    visitor.expectQuiet()
  })
})
