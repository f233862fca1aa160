import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/http/service.js'
import { STEP } from '../support/http/factor.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { describeInChromium } from './chromium.js'
import { EMAIL, logIn, visitsOfExample } from './example-page.js'

const NEW_PASSWORD = 'a quiet river at dusk'
const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

describeInChromium('the account page of the example, on a phone', (chromium) => {
  const visit = visitsOfExample(chromium, PHONE)

  it('shows and ends sessions, changes the password, and sets up and removes a second factor', async () => {
    const { ada, clock, sessionsOf, visitor, tab, elsewhere } = await visit()
    const { page } = visitor
    for (const one of [await elsewhere(), tab]) await logIn(one)

    await expectFits(page, 4)
    // The test uses only the keyboard.
    await page.locator('summary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').nth(1).waitFor()
    expect(await page.getByText('This one').count()).to.equal(1)
    await page.getByRole('button', { name: 'Log out there' }).press('Enter')
    await tab.said('That login has ended.')
    expect([await page.getByRole('listitem').count(), await sessionsOf(ada)]).to.deep.equal([1, 1])

    const change = page.getByRole('form', { name: 'Change your password' })
    await change.getByLabel('Current password').fill(PASSWORD)
    await change.getByLabel('New password').fill(NEW_PASSWORD)
    await change.getByRole('button').press('Enter')
    await tab.said('Your password was changed.')
    await tab.press('Who am I?')
    await tab.said('The service knows you.')

    const secret = await setUp(page, NEW_PASSWORD)
    await tab.said('Read the QR code')
    await expectFits(page)
    await page.getByLabel('Code of the app').fill(oneTimeCode(secret, clock.now))
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await tab.said('A login needs a code from now on.')
    const codes = await page.locator('#codes li').allTextContents()
    expect(codes).to.have.length(10)
    expect(await page.getByRole('img').count()).to.equal(0)
    await expectFits(page)

    await tab.press('Log out')
    await tab.said('Logged out.')
    expect(await page.content())
      .to.not.include(secret)
      .and.to.not.include(codes[0])
    await tab.logIn(EMAIL, NEW_PASSWORD)
    await tab.said('Enter the code')
    clock.now += STEP
    const code = page.getByRole('form', { name: 'Log in' }).getByLabel('Code')
    await code.fill(oneTimeCode(secret, clock.now))
    await code.press('Enter')
    await tab.said('Logged in.')

    await page.locator('summary').click()
    const remove = page.getByRole('form', { name: 'Remove' })
    await remove.getByLabel('Your password').fill(NEW_PASSWORD)
    await remove.getByLabel('Code').fill(codes[1] ?? '')
    await remove.getByRole('button').press('Enter')
    await tab.said('The password alone logs you in.')
    expect(visitor.errors).to.deep.equal([])
    expect(visitor.foreign).to.deep.equal([])
  })

  it('explains each rejection, and how long the user must wait', async () => {
    const { visitor, tab, elsewhere } = await visit()
    const { page } = visitor
    const other = await elsewhere()
    for (const one of [other, tab]) await logIn(one)
    await page.locator('summary').click()
    await page.getByRole('listitem').nth(1).waitFor()
    await other.press('Log out')
    await other.said('Logged out.')
    await page.getByRole('button', { name: 'Log out there' }).click()
    expect(await tab.said('That')).to.equal('That no longer exists.')

    await changePassword(page, 'not mine at all', NEW_PASSWORD)
    expect(await tab.said('That')).to.equal('That is not your password.')
    await changePassword(page, PASSWORD, 'short')
    expect(await tab.said('The')).to.match(/^The new password must have 8 to 1024 characters\b/)
    await changePassword(page, PASSWORD, PASSWORD)
    expect(await tab.said('The')).to.equal('The new password must differ from the current password.')

    await setUp(page, PASSWORD)
    for (let wrong = 0; wrong < 5; wrong += 1) {
      await confirm(page, 'none')
      expect(await tab.said('That')).to.equal('That code is not right, or was used before.')
    }
    await confirm(page, 'none')
    expect(await tab.said('Too')).to.match(/^Too many attempts\. Try again in \d+ seconds\.$/)
    expect([await tab.shown(), visitor.errors]).to.deep.equal([EMAIL, []])
  })

  it('leaves no password or secret on the page after logout', async () => {
    const { visitor, tab } = await visit()
    const { page } = visitor
    await logIn(tab)
    await page.locator('summary').click()
    await page.getByText('This one').waitFor()
    const secret = await setUp(page, PASSWORD)
    const field = page.getByRole('form', { name: 'Change your password' }).getByLabel('Current password')
    await field.fill(PASSWORD)
    await tab.press('Log out')
    await tab.said('Logged out.')
    await page.locator('#sessions li').waitFor({ state: 'detached' })
    const left = await page.evaluate<{ values: string[]; text: string }>(LEFT)
    expect(left.values.filter((value) => value === PASSWORD)).to.deep.equal([])
    expect(left.text).to.not.include(secret)
    visitor.expectQuiet()
  })
})

const LEFT = `({
  values: [...document.querySelectorAll('input')].map(({ value }) => value),
  text: document.querySelector('main').outerHTML,
})`

async function changePassword(page: Page, password: string, newPassword: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Change your password' })
  await form.getByLabel('Current password').fill(password)
  await form.getByLabel('New password').fill(newPassword)
  await form.getByRole('button').click()
}

async function confirm(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code of the app').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

/** Sets up a second factor, waits for the QR code to appear, and returns the secret. */
async function setUp(page: Page, password: string): Promise<string> {
  const form = page.getByRole('form', { name: 'Set up' })
  await form.getByLabel('Your password').fill(password)
  await form.getByRole('button').press('Enter')
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await page.locator('#qr').evaluate('(image) => image.decode()')
  return (await page.locator('#secret').textContent()) ?? ''
}

/** Expects that the page does not scroll sideways, and has at least this many buttons that are large enough for a finger. */
async function expectFits(page: Page, buttons = 5): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(PHONE.viewport.width)
  const boxes = await Promise.all((await page.getByRole('button').all()).map((one) => one.boundingBox()))
  expect(boxes).to.have.length.at.least(buttons)
  for (const box of boxes) expect(box?.height).to.be.at.least(44)
}
