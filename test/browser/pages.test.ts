import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { NEW_PASSWORD } from '../support/http/resetting.js'
import { guarded } from '../support/http/factor.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { PASSWORD } from '../support/http/service.js'
import { createGate } from '../support/watched-store.js'
import { permitting } from '../support/permissions.js'
import { expectAccessible } from './admin-page.js'
import { describeInChromium } from './chromium.js'
import { servedPages } from './pages.js'

const EMAIL = 'ada@example.com'
const TEXTS = { lang: 'de', login: 'Anmelden', name: '<b>"&amp;' }
const PAGES = [
  ['login', 'Log in'],
  ['login#by=mail', 'Log in'],
  ['sign-up', 'Create an account'],
  ['reset-password', 'Reset your password'],
  ['reset-password#email=ada@example.com&resetToken=abc', 'Choose a new password'],
  ['confirm', 'Enter your code'],
  ['confirm#purpose=sign-up&email=ada@example.com', 'Create your account'],
  ['confirm#purpose=undo-email&token=abc', 'Keep your previous email'],
] as const

const fragment = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString()

describeInChromium('the pages for users', (chromium) => {
  const serve = servedPages(chromium)

  it('let a user sign up with the code from the email, turn on a second factor, and log in with it', async () => {
    const { service, visit, mailed } = await serve()
    const { page, visitor, ...user } = await visit()
    await user.open('login', 'Log in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await user.isAt('Create an account')
    await user.send({ Email: EMAIL })
    await user.isAt('Create your account')
    const { code = '' } = await mailed()
    await user.send({ 'Code from the email': code.toLowerCase(), 'New password': PASSWORD })
    await user.isAt(EMAIL)
    await user.press('Set up second factor')
    await user.send({ Password: PASSWORD })
    const secret = await page.locator('dialog code').innerText()
    await page.getByLabel('Code from the app').fill(oneTimeCode(secret, service.clock.now))
    await user.press('Turn on')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await page.locator('dialog li').count()).to.equal(10)
    await user.press('I have stored the codes')
    await user.says('Your second factor is enabled.')
    await page.reload()
    await user.isAt(EMAIL)
    expect(await page.locator('section li').innerText()).to.match(
      /^[^[]+, 127\.0\.0\.1\n.+:\d\d.*\nThis device$/,
    )
    await user.press('Log out')
    await user.isAt('Log in')
    await user.says('You are logged out.')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await page.getByText('Enter the code of your second factor.').waitFor()
    await user.send({ 'Code of your second factor': oneTimeCode(secret, service.clock.now + 30_000) })
    await user.isAt(EMAIL)
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('let a user reset a password with the link from the email, and log in with the new password', async () => {
    const { service, visit, mailed } = await serve()
    await service.account(EMAIL)
    const { page, visitor, ...user } = await visit()
    await user.open('login?return_to=//evil.example', 'Log in')
    await page.getByRole('link', { name: 'I forgot my password' }).click()
    await user.isAt('Reset your password')
    await user.send({ Email: EMAIL })
    await user.says(`The email is on its way to ${EMAIL}.`)
    await user.open(`reset-password#${fragment(await mailed())}`, 'Choose a new password')
    expect(await page.getByLabel('Email').inputValue()).to.equal(EMAIL)
    await user.send({ 'New password': 'short' })
    await page.getByText('The password must have at least 8 characters.').waitFor()
    expect(await page.evaluate('document.activeElement.name')).to.equal('password')
    await user.send({ 'New password': NEW_PASSWORD })
    await user.isAt('Log in')
    await user.says('Your password was changed.')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await page.getByText('The email or the password is wrong.').waitFor()
    await user.send({ Email: EMAIL, Password: NEW_PASSWORD })
    await user.isAt(EMAIL)
    expect(page.url()).to.equal(`${service.origin}/account`)
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('log in only the browser that requested the email, and show the code in other browsers', async () => {
    const { service, visit, mailed } = await serve()
    await service.account(EMAIL)
    const { page, visitor, ...user } = await visit()
    await user.open('login?return_to=/docs', 'Log in')
    await page.getByRole('link', { name: 'Log in with a code by email' }).click()
    await page.getByRole('button', { name: 'Send me a code' }).waitFor()
    await user.send({ Email: EMAIL })
    await page.getByLabel('Code from the email').waitFor()
    const mail = await mailed()
    const phone = await visit({ viewport: { width: 390, height: 844 } })
    await phone.open(`confirm#${fragment(mail)}`, 'Log in')
    await phone.press('Log in')
    const shown = phone.page.getByRole('status').and(phone.page.locator('output'))
    expect(await shown.innerText()).to.equal(mail['code'])
    await expectAccessible(phone.page)
    await user.send({ 'Code from the email': 'WRONG234' })
    await page.getByText('This code is wrong, or has expired.').waitFor()
    await user.send({ 'Code from the email': await shown.innerText() })
    await page.waitForURL(`${service.origin}/docs`)
    expect([visitor.errors, visitor.foreign, phone.visitor.errors]).to.deep.equal([[], [], []])
  })

  it('ask for the second factor at a login by email', async () => {
    const { service, visit, mailed } = await serve()
    const { email, code } = await guarded(service)
    const { page, ...user } = await visit()
    await user.open('login', 'Log in')
    await page.getByRole('link', { name: 'Log in with a code by email' }).click()
    await page.getByRole('button', { name: 'Send me a code' }).waitFor()
    await user.send({ Email: email })
    await page.getByLabel('Code from the email').waitFor()
    await user.send({ 'Code from the email': (await mailed())['code'] ?? '' })
    await page.getByText('Enter the code of your second factor.').waitFor()
    await user.send({ 'Code of your second factor': code(1) })
    await page.waitForURL(`${service.origin}/account`)
  })

  it('change the email of an account, and restore the previous email', async () => {
    const { service, visit, mailed } = await serve()
    await service.account(EMAIL)
    const { page, visitor, ...user } = await visit()
    await user.open('account', 'Log in')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await user.isAt(EMAIL)
    await user.press('Change email')
    await user.send({ 'New email': 'new@example.com', Password: 'wrong' })
    await page.getByText('The password is wrong.').waitFor()
    await user.send({ Password: PASSWORD })
    await user.isAt('Change the email of your account')
    await user.send({ 'Code from the email': (await mailed())['code'] ?? '' })
    await user.isAt('Log in')
    await user.says('The email of your account was changed.')
    await user.open(`confirm#${fragment(await mailed())}`, 'Keep your previous email')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await user.isAt('Log in')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await user.isAt(EMAIL)
    await user.press('Download your data')
    const download = page.waitForEvent('download')
    await user.send({ Password: PASSWORD })
    const saved = await download
    const data = JSON.parse(readFileSync(await saved.path(), 'utf8')) as { account: object }
    expect(saved.suggestedFilename()).to.equal('account.json')
    expect(data.account).to.include({ email: EMAIL })
    await user.press('Delete account')
    await user.send({ Password: PASSWORD })
    await user.isAt('Log in')
    await user.says('Your account was deleted.')
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('ask for the password again if an action needs a more recent proof, and then repeat the action', async () => {
    const conditional = { auth: ['list-sessions', 'confirm', { 'end-sessions': { fresh: 600_000 } }] }
    const { service, visit } = await serve({ permissions: permitting({ user: { components: conditional } }) })
    await service.account(EMAIL)
    await service.useCases.login({ email: EMAIL, password: PASSWORD, presented: {} })
    const { page, visitor, ...user } = await visit()
    await user.open('login', 'Log in')
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await user.isAt(EMAIL)
    service.clock.now += 660_000
    await user.press('Log out on all other devices')
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await expectAccessible(page)
    await user.send({ Password: 'wrong' })
    await page.getByText('The password is wrong.').waitFor()
    await user.send({ Password: PASSWORD })
    await user.says('All other devices are logged out.')
    await page.reload()
    await user.isAt(EMAIL)
    expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
  })

  it('send nothing before the user presses the button, and wait until the account is approved', async () => {
    const { service, visit, mailed } = await serve({ signUp: { mode: 'approval' } })
    await service.client.call('POST', '/api/auth/sign-up', { json: { email: EMAIL } })
    const mail = fragment(await mailed())
    const { page, visitor, ...user } = await visit()
    const purposes = ['invitation', 'change-email', 'undo-email', 'login'].map(
      (one) => `purpose=${one}&token=a`,
    )
    const links = [...purposes, mail].map((one) => `confirm#${one}`)
    for (const link of [`reset-password#email=${EMAIL}&resetToken=a`, ...links]) {
      await page.goto(`${service.origin}/${link}`)
      await page.locator('h1:focus').waitFor()
      await page.evaluate('fetch(location.href).then(() => fetch(location.href, { method: "HEAD" }))')
    }
    expect(visitor.requests.filter((one) => one.includes('/api/'))).to.deep.equal([])
    await user.send({ 'New password': PASSWORD })
    await user.isAt('Log in')
    await user.says('You can log in as soon as it is approved')
    visitor.expectQuiet()
  })

  it('need only the keyboard', async () => {
    const { service, visit } = await serve()
    await service.account(EMAIL)
    const { page, visitor, ...user } = await visit()
    const { keyboard } = page
    await user.open('login?return_to=/account%3Fa', 'Log in')
    for (const text of [EMAIL, PASSWORD]) {
      await keyboard.press('Tab')
      await keyboard.type(text)
    }
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await user.isAt(EMAIL)
    expect(page.url()).to.equal(`${service.origin}/account?a`)
    for (const _ of ['Log out', 'Change email', 'Change password']) await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keyboard.press('Escape')
    expect(await page.locator('button:focus').innerText()).to.equal('Change password')
    visitor.expectQuiet()
  })

  it('show no links that the permissions forbid, and show all text unchanged, even if it looks like markup', async () => {
    const { visit } = await serve({ permissions: DEFAULT_PERMISSIONS, settings: { pageTexts: TEXTS } })
    const { page, visitor, ...user } = await visit()
    await user.open('login', 'Anmelden')
    expect(await page.getByRole('link').count()).to.equal(0)
    expect(await page.locator('html').getAttribute('lang')).to.equal('de')
    expect(await page.locator('.brand').innerText()).to.equal('<b>"&amp;')
    await user.open(`sign-up`, 'Create an account')
    await user.open('confirm#purpose=sign-up&email=<b>x</b>@example.com', 'Create your account')
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).to.equal('<b>x</b>@example.com')
    visitor.expectQuiet()
  })

  it('send a form only once on a slow connection, and show progress', async () => {
    const { service, visit } = await serve()
    await service.account(EMAIL)
    const { page, visitor, ...user } = await visit()
    await user.open('login', 'Log in')
    let sent = 0
    const gate = createGate()
    await page.route('**/api/auth/login', async (route) => {
      sent += 1
      await gate.pass()
      await route.continue()
    })
    await user.send({ Email: EMAIL, Password: PASSWORD })
    await page.getByRole('progressbar').waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('button', { name: 'Log in' }).isDisabled()).to.equal(true)
    gate.release()
    await user.isAt(EMAIL)
    expect(sent).to.equal(1)
    visitor.expectQuiet()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`pass axe in ${colorScheme} colors, and fit a phone screen`, async () => {
      const { service, visit } = await serve()
      await service.account(EMAIL)
      const { page, visitor, ...user } = await visit({ colorScheme, viewport: { width: 390, height: 844 } })
      for (const [address, heading] of PAGES) {
        await user.open(address, heading)
        await expectAccessible(page)
      }
      await user.open('login', 'Log in')
      await user.send({ Email: EMAIL, Password: PASSWORD })
      await user.isAt(EMAIL)
      await expectAccessible(page)
      await user.press('Set up second factor')
      await user.send({ Password: PASSWORD })
      await page.getByAltText('The key as a QR code').waitFor()
      await expectAccessible(page)
      visitor.expectQuiet()
    })
})
