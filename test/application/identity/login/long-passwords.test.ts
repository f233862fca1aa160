import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { type Composed, composeUseCases } from '../../../support/use-cases.js'

/** 72 bytes: all that bcrypt looks at. */
const SEEN = `${'0123456789'.repeat(7)}01`
const SCRYPT = /^c2NyeXB0/
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuum2G75IXDN/xsgbNa/hCiPSKyIHQd70S'

describe('a password of 72 bytes or more behind a bcrypt hash', () => {
  let service: Composed
  const email = 'ada@example.com'

  beforeEach(async () => {
    service = await composeUseCases()
    await service.useCases.importUsers({ caller: OPERATOR })({ email, passwordHash: BCRYPT })
  })

  const login = async (password: string) =>
    (await service.useCases.login({ email, password, presented: {} })).identity.email
  const stored = async () => (await service.store.accounts.findByEmail(email as Email))?.passwordHash

  it('still logs in after a login with another end', async () => {
    expect(await login(`${SEEN} and a wrong end`)).to.equal(email)
    expect(await stored()).to.equal(BCRYPT)
    expect(await login(`${SEEN} and the right end`)).to.equal(email)
    expect(await stored()).to.equal(BCRYPT)
  })

  it('is measured in bytes, not in characters', async () => {
    const passwordHash = hashSync('é'.repeat(37), 4)
    await service.useCases.setPassword({ caller: OPERATOR, email, passwordHash })
    expect(await login(`${'é'.repeat(36)}è`)).to.equal(email)
    expect(await stored()).to.equal(passwordHash)
    expect(await login('é'.repeat(37))).to.equal(email)
  })

  it('is measured after its normalisation', async () => {
    const password = SEEN.slice(0, 71)
    await service.useCases.setPassword({
      caller: OPERATOR,
      email,
      passwordHash: hashSync(password, 4),
    })
    // A full-width digit has three bytes, and is normalised to the digit that it replaces.
    expect(await login(`０${password.slice(1)}`)).to.equal(email)
    expect(await stored()).to.match(SCRYPT)
    expect(await login(password)).to.equal(email)
  })

  it('is stored as a scrypt hash after it is changed', async () => {
    const password = `${SEEN} and the right end`
    await service.useCases.setPassword({ caller: OPERATOR, email, password })
    expect(await stored()).to.not.equal(BCRYPT)
    expect(await login(password)).to.equal(email)
  })

  it('of 71 bytes is rehashed with scrypt by its login', async () => {
    const password = SEEN.slice(0, 71)
    await service.useCases.setPassword({
      caller: OPERATOR,
      email,
      passwordHash: hashSync(password, 4),
    })
    expect(await login(password)).to.equal(email)
    expect(await stored()).to.match(SCRYPT)
    expect(await login(password)).to.equal(email)
  })

  it('still logs in after a login with nothing but its first 72 bytes', async () => {
    expect(await login(SEEN)).to.equal(email)
    expect(await stored()).to.equal(BCRYPT)
    expect(await login(`${SEEN} and the right end`)).to.equal(email)
  })
})
