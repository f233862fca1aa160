import { expect } from 'chai'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import { guarded, logInWith, STEP } from '../support/http/factor.js'
import { createGate } from '../support/watched-store.js'
import { EMAIL, expectAccessible, openAdminPage, visitsOfAdminPage } from './admin-page.js'
import { describeInChromium } from './chromium.js'

const VIEWS = [
  ['users', 'Accounts'],
  ['users/1', EMAIL],
  ['roles', 'Roles'],
  ['api-keys', 'API keys'],
  ['audit', 'Audit log'],
  ['logins', 'Logins'],
] as const

/** A page that treats this text as markup loads the image from the service. */
const MARKUP = '<b>Help</b><img src="/planted" onerror="document.body.remove()">'

describeInChromium('the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  it('logs in with a second-factor code, and then shows the requested page', async () => {
    const { service } = await visit()
    const grace = await guarded(service, ['admin'])
    const { page, visitor, ...admin } = await openAdminPage(chromium, service)
    await admin.open('roles', 'Log in')
    await admin.logIn(grace.email)
    await page.getByText('Enter the code of your second factor.').waitFor()
    await page.getByLabel('Code of your second factor').fill(grace.code(1))
    await page.keyboard.press('Enter')
    await admin.isAt('Roles')
    await page.reload()
    await admin.isAt('Roles')
    await admin.press('Log out')
    await admin.isAt('Log in')
    expect(visitor.failedReplies).to.deep.equal([`${service.origin}/api/auth/login`])
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('finds, creates, changes, disables and deletes an account', async () => {
    const { page, visitor, service, dialog, ...admin } = await visit()
    for (let index = 0; index < 25; index += 1) await service.account(`user${index}@example.com`)
    await service.account('editor@example.com', ['editor'])
    await admin.enter('users', 'Accounts')

    const rows = page.locator('tbody tr')
    expect(await rows.count()).to.equal(20)
    await admin.press('More')
    await rows.nth(26).waitFor()
    expect(await page.getByRole('button', { name: 'More' }).isVisible()).to.equal(false)
    await page.getByLabel('Email begins with').fill('user2')
    await admin.press('Search')
    await page.waitForURL(/#\/users\?email=user2$/)
    await rows.nth(6).waitFor({ state: 'detached' })
    expect(await rows.count()).to.equal(6)

    await admin.press('Create account')
    await dialog.getByLabel('Email').fill('editor@example.com')
    await dialog.getByRole('button', { name: 'Generate' }).click()
    expect(await dialog.getByLabel('Password').inputValue()).to.match(/^(\w{6}-){3}\w{6}$/)
    await dialog.getByLabel('editor').check()
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.getByText(/request ID: [0-9a-f-]{36}/).waitFor()
    await dialog.getByLabel('Email').fill('new@example.com')
    await page.keyboard.press('Enter')
    await admin.isAt('new@example.com')
    await admin.says('The account was created.')

    await admin.press('Remove the role editor')
    await admin.says('The account no longer has the role editor.')
    await admin.press('Give role')
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Give role' }).click()
    await admin.says('The account has the role.')
    await page.getByRole('button', { name: 'Disable' }).click()
    // From here on, the test uses only the keyboard.
    await page.keyboard.press('Escape')
    await page.locator('button:focus').filter({ hasText: 'Disable' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Disable' }).press('Enter')
    await admin.says('The account was disabled.')
    const stored = await service.store.accounts.findByEmail('new@example.com' as Email)
    expect(stored?.roles.map(({ key }) => key)).to.deep.equal(['admin'])
    expect(stored).to.have.property('disabledAt')

    await page.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.keyboard.type('other@example.com')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not new@example.com.').waitFor()
    await dialog.getByLabel('Email').fill('new@example.com')
    await page.keyboard.press('Enter')
    await admin.isAt('Accounts')
    await admin.says('The account new@example.com was deleted.')
    expect(await service.store.accounts.findByEmail('new@example.com' as Email)).to.equal(undefined)
    expect(visitor.failedReplies).to.deep.equal([`${service.origin}/api/admin/users`])
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('ends sessions and removes the second factor of an account', async () => {
    const { service, page, dialog, visitor, ...admin } = await visit()
    const grace = await guarded(service)
    await admin.enter(`users/${grace.id}`, grace.email)
    await admin.press('Remove second factor')
    await dialog.getByRole('button', { name: 'Remove second factor' }).click()
    await admin.says('The second factor was removed.')
    service.clock.now += STEP
    expect((await logInWith(service, grace, undefined)).status).to.equal(200)
    await page
      .getByRole('button', { name: /^End the session of / })
      .first()
      .click()
    await admin.says('The session has ended.')
    await admin.press('End all sessions')
    await dialog.getByRole('button', { name: 'End all sessions' }).click()
    await admin.says('All sessions have ended.')
    expect((await grace.getIdentity()).status).to.equal(401)
    await page.getByRole('table', { name: 'Audit records' }).getByText('session.revoke').first().waitFor()
    visitor.expectQuiet()
  })

  it('shows a new API key only once', async () => {
    const { page, dialog, service, visitor, ...admin } = await visit({
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await admin.enter('api-keys', 'API keys')
    await admin.press('Create API key')
    await dialog.getByLabel('Name').fill('backup')
    await dialog.getByLabel('admin').check()
    await dialog.getByLabel('Valid until').fill('2026-12-24T18:00')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    const key = await dialog.getByLabel('API key').inputValue()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(key)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.content()).to.not.include(key)
    await page.getByText('Valid until').waitFor()
    const pets = async () => await service.client.call('GET', '/v1/pets', { headers: { 'X-API-Key': key } })
    expect((await pets()).status).to.equal(200)
    await admin.press('Revoke the API key backup')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await admin.says('The API key backup was revoked.')
    expect((await pets()).status).to.equal(401)
    visitor.expectQuiet()
  })

  it('filters the audit log, and counts the logins of the last day', async () => {
    const { page, service, visitor, ...admin } = await visit()
    await service.client.call('POST', '/api/auth/login', { json: { email: EMAIL, password: 'wrong one' } })
    await admin.enter('audit', 'Audit log')
    await page.getByLabel('Event').selectOption('login')
    await page.getByLabel('Email or ID of an account').fill(EMAIL)
    await page.getByLabel('Since').fill('2026-06-01T12:00')
    await admin.press('Search')
    await page.waitForURL(/event=login&since=2026-06-01T12%3A00/)
    await admin.isAt('Audit log')
    expect(await page.locator('td:nth-child(3)').allInnerTexts()).to.deep.equal(['success', 'failure'])
    await page.getByRole('link', { name: 'Logins' }).click()
    await admin.isAt('Logins')
    await page.getByText('Succeeded: 1').waitFor()
    await page.getByText('Failed: 1').waitFor()
    await page.getByText('The numbers as a table').press('Enter')
    expect(await page.locator('tbody tr').last().innerText()).to.equal('1 Jun 2026, 12:00:00\t1\t1')
    visitor.expectQuiet()
  })

  it('shows only permitted actions', async () => {
    const { page, visitor, service, ...admin } = await visit({ roles: ['reader'] })
    await service.account('user@example.com')
    await admin.enter('users', 'Accounts')
    expect(await page.getByRole('navigation').innerText()).to.equal('Accounts')
    expect(await page.getByRole('button').allInnerTexts()).to.deep.equal(['Log out', 'Search'])
    await page.getByRole('link', { name: 'user@example.com' }).click()
    await admin.isAt('user@example.com')
    expect(await page.getByRole('button').allInnerTexts()).to.deep.equal(['Log out'])
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).to.deep.equal(['Roles'])
    await admin.open('audit', 'Not found')
    await admin.press('Log out')
    await admin.isAt('Log in')
    await admin.logIn('user@example.com')
    await admin.isAt('Not found')
    await admin.open('', 'No permission')
    visitor.expectQuiet()
  })

  it('shows markup in the label of a role as text', async () => {
    const { page, dialog, visitor, ...admin } = await visit()
    await admin.enter('roles', 'Roles')
    await admin.press('Create role')
    await dialog.getByLabel('Key').fill('helper')
    await dialog.getByLabel('Label').fill(MARKUP)
    await dialog.getByRole('button', { name: 'Create role' }).click()
    await admin.says('The role was created.')
    const label = page.locator('tbody tr').filter({ hasText: 'helper' }).locator('td').nth(1)
    expect([await label.innerText(), await label.locator('*').count()]).to.deep.equal([MARKUP, 0])
    visitor.expectQuiet()
  })

  it('shows why the service refuses an action', async () => {
    const { page, dialog, service, ...admin } = await visit()
    await service.account('reader@example.com', ['reader'])
    await admin.enter('roles', 'Roles')
    await admin.press('Delete the role reader')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').getByText('request ID: ').waitFor()
    await page.keyboard.press('Escape')
    await page.route('**/api/admin/**', (route) => route.abort())
    await page.getByRole('link', { name: 'API keys' }).click()
    await admin.isAt('API keys')
    await page.getByText('The service cannot be reached.').waitFor()
  })

  it('shows the login form after the session has ended, and returns to the same page after the new login', async () => {
    const { page, service, ...admin } = await visit()
    await admin.enter('users?email=a', 'Accounts')
    await service.store.sessions.endAllOf(1 as AccountId)
    await admin.press('Create account')
    await admin.isAt('Log in')
    await admin.logIn()
    await admin.isAt('Accounts')
    expect(new URL(page.url()).hash).to.equal('#/users?email=a')
    expect(await page.locator('tbody tr').count()).to.equal(1)
  })

  it('shows progress on a slow connection, and sends each request only once', async () => {
    const { page, dialog, service, visitor, ...admin } = await visit()
    await admin.enter('roles', 'Roles')
    let sent = 0
    const gate = createGate()
    await page.route('**/api/admin/roles', async (route) => {
      if (route.request().method() === 'POST') sent += 1
      await gate.pass()
      await route.continue()
    })
    expect(await page.getByRole('progressbar').isVisible()).to.equal(false)
    await admin.press('Create role')
    await dialog.getByLabel('Key').fill('helper')
    await dialog.getByLabel('Label').fill('Helper')
    await dialog.getByRole('button', { name: 'Create role' }).dblclick()
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create role' }).isDisabled()).to.equal(true)
    gate.release()
    await admin.says('The role was created.')
    expect(sent).to.equal(1)
    visitor.expectQuiet()
  })

  for (const [name, browser] of [
    ['in light colors', { colorScheme: 'light' }],
    ['on a phone in dark colors', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const)
    it(`passes axe ${name}, and fits the window`, async () => {
      const { page, dialog, visitor, ...admin } = await visit({ browser })
      await admin.open('', 'Log in')
      await expectAccessible(page)
      await admin.logIn()
      await admin.isAt('Accounts')
      for (const [address, heading] of VIEWS) {
        await admin.open(address, heading)
        await expectAccessible(page)
      }
      await admin.open('users', 'Accounts')
      await admin.press('Create account')
      await dialog.waitFor()
      await expectAccessible(page)
      visitor.expectQuiet()
    })
})
