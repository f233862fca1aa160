import { expect } from 'chai'
import type { TestService } from '../../support/http/service.js'
import { startService } from '../../support/http/service.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { LOGIN_FAILED, loggedOut } from '../../support/http/expected.js'

const LIMIT = { count: 5, window: 900_000 }
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})

describe('LOGIN_LIMIT', () => {
  let service: TestService
  let hashes = 0
  beforeEach(async () => {
    service = await startService({
      loginLimit: LIMIT,
      settings: { trustProxy: 1 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          hashes += 1
          return hasher.verify(...given)
        },
      }),
    })
    hashes = 0
  })
  afterEach(() => service.close())

  const logIn = (email: string, password: string, address: string) =>
    service.client.call('POST', LOGIN, {
      headers: { 'X-Forwarded-For': address },
      json: { email, password },
    })

  it('lets 5 of 12 wrong passwords for one account from one network reach the hash', async () => {
    const email = freshEmail()
    await service.account(email)
    const guesses = Array.from({ length: 12 }, (_, n) => logIn(email, `wrong ${n}`, `2001:db8::${n}`))
    const replies = await Promise.all(guesses)
    expect(hashes).to.equal(5)
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).to.have.length(7)
    expect(refused[0]?.json).to.deep.equal(TOO_MANY)
    expect(refused[0]?.headers['retry-after']).to.equal('900')
    expect(replies.find(({ status }) => status === 401)?.json).to.deep.equal(LOGIN_FAILED)
  })
})
