import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { tokenIn } from '../../support/mail/postbox.js'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD } from '../../support/http/service.js'
import { ENDS } from '../../support/http/acting.js'
import { createBrowser, freshEmail, LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import { loggedOut, LOGIN_FAILED } from '../../support/http/expected.js'
import { guarded } from '../../support/http/factor.js'
import { NEW_PASSWORD, startResetting, type Resetting } from '../../support/http/resetting.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const TTL = 1_800_000
const MINUTE = 60_000
const NOT_VALID = loggedOut(400, { message: 'not-valid', field: 'resetToken', type: 'NotValid' })

const CODE_REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })

function expectNotValid(reply: Reply, what = ''): void {
  expect(reply.status, what).to.equal(400)
  expect(reply.json, what).to.deep.equal(NOT_VALID)
  expect(setCookies(reply), what).to.deep.equal([])
}

for (const { name, open } of STORES) {
  describe(`the token of a reset mail on the ${name} store`, () => {
    let opened: OpenedStore
    let resets: Resetting
    let email: string
    let hashes = 0
    before(async () => {
      opened = await open()
      resets = await startResetting({
        store: opened.store,
        aroundHasher: (hasher) => ({
          ...hasher,
          hash: (password) => {
            hashes += 1
            return hasher.hash(password)
          },
        }),
      })
    })
    after(async () => {
      await resets.service.close()
      await opened.remove()
    })
    beforeEach(async () => {
      email = freshEmail()
      await resets.service.account(email)
      hashes = 0
    })

    const login = (password: string, of = email) => createBrowser(resets.service, of).login(password)

    async function failedResets(): Promise<number> {
      const records = await resets.service.store.audit.page({ event: 'reset.done', limit: 1_000 })
      const failed = records.filter(({ outcome, subject }) => outcome === 'failure' && !subject)
      return failed.reduce((sum, { count = 0 }) => sum + count, 0)
    }

    /** Refused like every other that is not good, for no hash, and nothing has changed. */
    async function expectWorthless(token: string, what = ''): Promise<void> {
      hashes = 0
      const before = await failedResets()
      expectNotValid(await resets.consume(email, token), what)
      expect(hashes, what).to.equal(0)
      expect(await failedResets(), what).to.equal(before + 1)
      expect((await login(NEW_PASSWORD)).json, what).to.deep.equal(LOGIN_FAILED)
    }

    it('works one second before its time is over', async () => {
      const token = await resets.mailedToken(email)
      resets.service.clock.now += TTL - 1000
      expect((await resets.consume(email, token)).status).to.equal(200)
    })

    it('works a millisecond before its time is over', async () => {
      const token = await resets.mailedToken(email)
      resets.service.clock.now += TTL - 1
      expect((await resets.consume(email, token)).status).to.equal(200)
    })

    for (const late of [0, 1000, 86_400_000]) {
      it(`is worth nothing ${late / 1000} s after its time`, async () => {
        const token = await resets.mailedToken(email)
        resets.service.clock.now += TTL + late
        await expectWorthless(token)
        expect((await login(PASSWORD)).status).to.equal(200)
      })
    }

    it('has its time from the moment at which its mail leaves, not from when it was asked for', async () => {
      await resets.ask(email)
      resets.service.clock.now += TTL
      await resets.sendMails()
      resets.service.clock.now += TTL - 1
      const token = tokenIn(resets.postbox.arrived.at(-1))
      expect((await resets.consume(email, token)).status).to.equal(200)
    })

    it('works once', async () => {
      const token = await resets.mailedToken(email)
      expect((await resets.consume(email, token)).status).to.equal(200)
      hashes = 0
      expectNotValid(await resets.consume(email, token, 'a third password'))
      expect(hashes).to.equal(0)
      expect((await login('a third password')).json).to.deep.equal(LOGIN_FAILED)
      expect((await login(NEW_PASSWORD)).status).to.equal(200)
      expect(await resets.sendMails()).to.equal(1)
    })

    it('leaves the second factor: a login with the new password needs a code', async () => {
      const account = await guarded(resets.service)
      const token = await resets.mailedToken(account.email)
      expect((await resets.consume(account.email, token)).status).to.equal(200)
      expect((await login(NEW_PASSWORD, account.email)).json).to.deep.equal(CODE_REQUIRED)
      const json = { email: account.email, password: NEW_PASSWORD, code: account.recoveryCodes[0] }
      expect((await resets.service.client.call('POST', LOGIN, { json })).status).to.equal(200)
    })

    const mailedTokens = async (count: number) => {
      const tokens: string[] = []
      while (tokens.length < count) {
        if (tokens.length > 0) resets.service.clock.now += MINUTE
        tokens.push(await resets.mailedToken(email))
      }
      return tokens
    }

    for (const used of [0, 1, 2]) {
      it(`is one of three that are good at once; a reset with number ${used + 1} voids them all`, async () => {
        const tokens = await mailedTokens(3)
        expect(new Set(tokens).size).to.equal(3)
        expect((await resets.consume(email, tokens[used] ?? '')).status).to.equal(200)
        for (const token of tokens) expectNotValid(await resets.consume(email, token, 'a third password'))
        expect((await login(NEW_PASSWORD)).status).to.equal(200)
      })
    }

    it('is void as soon as a third newer mail leaves', async () => {
      const [first = '', ...others] = await mailedTokens(4)
      await expectWorthless(first)
      expect((await resets.consume(email, others[0] ?? '')).status).to.equal(200)
    })

    it('has its own time, whatever newer ones there are', async () => {
      const [first = '', , third = ''] = await mailedTokens(3)
      resets.service.clock.now += TTL - 2 * MINUTE
      await expectWorthless(first)
      resets.service.clock.now += 2 * MINUTE - 1
      expect((await resets.consume(email, third)).status).to.equal(200)
    })

    const ends: typeof ENDS = {
      ...ENDS,
      'deletion and a new account of that email': async (service) => {
        await service.useCases.deleteUser({ caller: OPERATOR, email })
        await service.account(email)
      },
    }
    for (const [what, end] of Object.entries(ends)) {
      it(`is void after ${what}`, async () => {
        const token = await resets.mailedToken(email)
        await end(resets.service, email)
        await expectWorthless(token)
      })
    }

    it('outlives logins and logouts', async () => {
      const browser = createBrowser(resets.service, email)
      await browser.login()
      const token = await resets.mailedToken(email)
      await browser.refresh()
      await browser.logout()
      expect((await login('wrong')).status).to.equal(401)
      expect((await resets.consume(email, token)).status).to.equal(200)
    })

    it('is good for its own account only', async () => {
      const other = await newcomer(resets.service)
      const token = await resets.mailedToken(other.email)
      const own = await resets.mailedToken(email)
      await expectWorthless(token)
      expectNotValid(await resets.consume(other.email, own))
      expectNotValid(await resets.consume(freshEmail(), own))
      expect((await other.getIdentity()).status).to.equal(200)
      expect((await resets.consume(email, own)).status).to.equal(200)
      expect((await resets.consume(other.email, token)).status).to.equal(200)
    })

    it('has to be the token itself, to the last character', async () => {
      const token = await resets.mailedToken(email)
      const digest = resets.service.useCases.resetTokens.digest(token)
      const last = token.endsWith('A') ? 'B' : 'A'
      const wrong = {
        'one character changed': `${token.slice(0, -1)}${last}`,
        'one character less': token.slice(0, -1),
        'one character more': `${token}A`,
        'a blank before': ` ${token}`,
        'a line end behind': `${token}\n`,
        padding: `${token}=`,
        'other case': token.replaceAll(/[a-z]/gi, (one) =>
          one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
        ),
        'its digest': digest,
        'U+0000': '\u0000',
        garbage: '"$ne": {}; DROP TABLE accounts; ../../',
        'a lone surrogate': '\ud83d',
        '12 kB': token.repeat(280),
        'another token': resets.service.useCases.resetTokens.fresh(),
      }
      for (const [what, text] of Object.entries(wrong)) await expectWorthless(text, what)
      expect((await resets.consume(email, token)).status).to.equal(200)
      expect(hashes).to.equal(1)
    })

    it('is not there before a request', async () => {
      for (const token of ['undefined', 'null', '0', '[object Object]']) await expectWorthless(token)
    })

    const policies: readonly (readonly [password: string, type: string, message: string])[] = [
      ['seven-7', 'Length', 'must have 8 to 1024 characters'],
      ['x'.repeat(1025), 'Length', 'must have 8 to 1024 characters'],
      ['Zu\u0308rich-', 'Length', 'must have 8 to 1024 characters'],
      ['a pass\u0000word', 'Format', 'must not contain U+0000'],
      ['a pass\ud83dword', 'Format', 'must be well-formed Unicode'],
      ['\uff50assWord123', 'NotValid', 'is one of the commonest passwords: choose another one'],
      ['Kennel-2026', 'NotValid', 'is mostly the email or the name of this service: choose another one'],
    ]
    for (const [password, type, message] of policies) {
      it(`is not spent on a password that breaks the policy: ${JSON.stringify(password.slice(0, 12))}`, async () => {
        const token = await resets.mailedToken(email)
        const broken = loggedOut(400, { message, field: 'password', type })
        for (const one of [token, 'no token']) {
          const reply = await resets.consume(email, one, password)
          expect(reply.status).to.equal(400)
          expect(reply.json).to.deep.equal(broken)
        }
        expect(hashes).to.equal(0)
        expect((await login(PASSWORD)).status).to.equal(200)
        expect((await resets.consume(email, token)).status).to.equal(200)
      })
    }

    it('sets a text that looks like a stored hash as the password that it is', async () => {
      const scrypt = await resets.service.useCases.hasher.hash(PASSWORD as never)
      const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
      for (const text of [scrypt, bcrypt]) {
        resets.service.clock.now += MINUTE
        expect(resets.service.useCases.hasher.recognise(text).kind).to.equal('hash')
        expect((await resets.consume(email, await resets.mailedToken(email), text)).status).to.equal(200)
        expect((await login(text)).status).to.equal(200)
        expect((await login(PASSWORD)).json).to.deep.equal(LOGIN_FAILED)
      }
    })
  })
}
