import { expect } from 'chai'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { envelopeOf, freshEmail, LOGIN } from '../../support/http/browser.js'

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
})
