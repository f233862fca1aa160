import { expect } from 'chai'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { PASSWORD, START, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { envelopeOf, freshEmail, LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import { comparable, LOGIN_FAILED, loggedOut } from '../../support/http/expected.js'

const required = (field: string) => ({ message: 'required', field, type: 'Required' })
const badEmail = { message: 'email-not-valid', field: 'email', type: 'Format' }

describe('login', () => {
  let service: TestService
  let hashes: string[] = []
  const counted = (hasher: PasswordHasher): PasswordHasher => ({
    ...hasher,
    hash: (password) => {
      hashes.push('hash')
      return hasher.hash(password)
    },
    verify: (password, hash) => {
      hashes.push('verify')
      return hasher.verify(password, hash)
    },
  })
  before(async () => {
    service = await startService({ aroundHasher: counted })
  })
  after(() => service.close())

  const login = (json: unknown) => service.client.call('POST', LOGIN, { json })

  itWithSessions('answers with the full view, a pair and one cookie', async () => {
    const email = freshEmail()
    const id = await service.account(email, ['editor'])
    const reply = await login({ email, password: PASSWORD })
    const { jwt, refreshToken } = envelopeOf(reply).view
    const [role] = await service.store.roles.list()
    expect(reply.json).to.deep.equal({
      code: 200,
      response: true,
      view: {
        jwt,
        refreshToken,
        refreshed: false,
        loggedIn: true,
        loggedInAs: false,
        user: { id, email },
        userAs: null,
        messages: [],
        roleList: { editor: { uuid: role?.uuid, key: 'editor', label: 'Label of editor' } },
        groupList: {},
        typeList: {},
      },
    })
    expect(jwt).to.match(/^[\w-]+\.[\w-]+\.[\w-]+(\.[\w-]+)?$/)
    expect(refreshToken).to.match(/^[\w-]+\.[\w-]+\.[\w-]+(\.[\w-]+)?$/)
    expect(refreshToken).to.not.equal(jwt)
    expect(setCookies(reply)).to.have.length(1)
  })

  it('normalises the email before the lookup', async () => {
    await service.account('normal@example.com')
    for (const email of ['  normal@example.com\t', 'NORMAL@Example.COM', 'ｎｏｒｍａｌ@example.com']) {
      const reply = await login({ email, password: PASSWORD })
      expect(envelopeOf(reply).view.user?.email, email).to.equal('normal@example.com')
    }
  })

  it('ignores unknown members', async () => {
    const email = freshEmail()
    const id = await service.account(email)
    const body = `{"email":"${email}","password":"${PASSWORD}","role":"admin","id":1,"__proto__":{"admin":true}}`
    const headers = { 'Content-Type': 'application/json' }
    const reply = await service.client.call('POST', LOGIN, { headers, body })
    expect(envelopeOf(reply).view.user).to.deep.equal({ id, email })
    expect(envelopeOf(reply).view.roleList).to.deep.equal({})
    expect(Reflect.get({}, 'admin')).to.equal(undefined)
  })

  describe('that fails', () => {
    const emails = {
      good: freshEmail(),
      withoutPassword: freshEmail(),
      disabled: freshEmail(),
      deleted: freshEmail(),
      corrupt: freshEmail(),
    }
    const insert = (email: string, hash?: string) =>
      service.store.accounts.insert({
        email: email as Email,
        createdAt: START,
        ...(hash !== undefined && { passwordHash: hash as PasswordHash }),
      })
    before(async () => {
      await service.account(emails.good)
      await insert(emails.withoutPassword)
      await insert(emails.corrupt, 'c2NyeXB0AA==')
      const disabled = await service.account(emails.disabled)
      await service.store.accounts.setDisabled(disabled as AccountId, START)
      const deleted = await service.account(emails.deleted)
      await service.store.accounts.remove(deleted as AccountId)
    })

    const causes: Readonly<Record<string, () => object>> = {
      'unknown email': () => ({ email: 'nobody@example.com', password: PASSWORD }),
      'wrong password': () => ({ email: emails.good, password: `${PASSWORD}!` }),
      'password in another case': () => ({ email: emails.good, password: PASSWORD.toUpperCase() }),
      'no password set': () => ({ email: emails.withoutPassword, password: PASSWORD }),
      'a corrupt hash': () => ({ email: emails.corrupt, password: PASSWORD }),
      'disabled account': () => ({ email: emails.disabled, password: PASSWORD }),
      'deleted account': () => ({ email: emails.deleted, password: PASSWORD }),
      'a password with U+0000': () => ({ email: emails.good, password: `${PASSWORD}\u0000` }),
      'a password of 1025 characters': () => ({ email: emails.good, password: 'x'.repeat(1025) }),
      'unknown email and U+0000': () => ({ email: 'nobody@example.com', password: '\u0000' }),
    }
    for (const [cause, credentials] of Object.entries(causes)) {
      it(`for ${cause}: equals the reply for an unknown email, after exactly one hash`, async () => {
        const like = await login({ email: 'another@example.com', password: 'whatever it is' })
        hashes = []
        const reply = await login(credentials())
        expect(reply.json).to.deep.equal(LOGIN_FAILED)
        expect(comparable(reply)).to.deep.equal(comparable(like))
        expect(hashes).to.deep.equal(['verify'])
      })
    }

    const forms: readonly (readonly [string, object, ReturnType<typeof required>[]])[] = [
      ['nothing', {}, [required('email'), required('password')]],
      ['no email', { password: PASSWORD }, [required('email')]],
      ['no password', { email: 'ada@example.com' }, [required('password')]],
      ['empty strings', { email: '', password: '' }, [required('email'), required('password')]],
      ['no at-sign', { email: 'ada.example.com', password: PASSWORD }, [badEmail]],
      ['two at-signs', { email: 'ada@b@example.com', password: PASSWORD }, [badEmail]],
      ['blanks only', { email: '  ', password: PASSWORD }, [badEmail]],
      ['a bad email and no password', { email: 'ada', password: '' }, [badEmail, required('password')]],
      ['255 characters', { email: `${'a'.repeat(243)}@example.com`, password: PASSWORD }, [badEmail]],
      ['U+0000 in the email', { email: 'a\u0000da@example.com', password: PASSWORD }, [badEmail]],
    ]
    for (const [what, json, messages] of forms) {
      it(`with ${what}: 401, and no hash`, async () => {
        hashes = []
        const reply = await login(json)
        expect(reply.json).to.deep.equal(loggedOut(401, ...messages))
        expect(setCookies(reply)).to.deep.equal([])
        expect(hashes).to.deep.equal([])
      })
    }

    it('keeps the session of the sent cookie', async () => {
      const browser = await newcomer(service)
      expect((await browser.login('not the password')).json).to.deep.equal(LOGIN_FAILED)
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  })
})
