import { expect } from 'chai'
import { OPERATOR, type Kennel, type KennelOptions } from '../../src/index.js'
import { EMAIL, openMemoryKennel } from '../support/http/memory-kennel.js'
import { PASSWORD, START } from '../support/http/service.js'
import { GENEROUS } from './opening.js'
import { createPostbox, tokenIn } from '../support/mail/postbox.js'

type Options = Partial<KennelOptions>
type Login = Awaited<ReturnType<Kennel['login']>>

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Clocks of instances may differ, so an access token is accepted for this much longer. */
const LEEWAY = 5 * SECOND
const BOSS = 'boss@example.com'

const RESETTING: Options = { permissions: GENEROUS, publicUrl: 'https://pets.example' }
const CLIENT = { address: '192.0.2.7', requestId: 'r', userAgent: 'node' }

/** The ends of settings that have no order with the others. */
const LOW: Options = {
  ...{ refreshGrace: '0', impersonationTtl: '1m', resetTokenTtl: '1m', auditRetention: '1d' },
  ...{ loginLimit: '1000/1m', sessionLimit: 10_000, bodyLimit: '1kb' },
}
const HIGH: Options = {
  ...{ refreshGrace: '60s', impersonationTtl: '1d', resetTokenTtl: '1d', auditRetention: '3650d' },
  ...{ loginLimit: 'off', sessionLimit: 'off', bodyLimit: '16mb' },
}
/** The ends of the lifetimes that have an order, each with the other ends. */
const SHORT: Options = { ...LOW, accessTokenTtl: '1s', refreshTokenTtl: '1m', sessionTtl: '1m' }
const LONG: Options = { ...HIGH, accessTokenTtl: '3650d', refreshTokenTtl: '3650d', sessionTtl: '3650d' }

describe('a lifetime or limit, if the other settings have extreme values,', () => {
  let now = START
  const postbox = createPostbox()
  const opened: Kennel[] = []
  beforeEach(() => {
    now = START
  })
  afterEach(async () => {
    for (const kennel of opened.splice(0)) await kennel.close()
  })

  const open = async (options: Options): Promise<Kennel> => {
    const parts = { clock: () => now, mailer: postbox.mailer }
    const kennel = await openMemoryKennel({ ...options, parts })
    opened.push(kennel)
    return kennel
  }
  const logIn = (kennel: Kennel) => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
  const presented = ({ accessToken, sessionKey }: Login) => ({
    accessToken,
    ...(sessionKey && { sessionKey }),
  })
  const succeeds = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const isActive = (kennel: Kennel, login: Login) => succeeds(kennel.getIdentity(presented(login)))
  const refresh = (kennel: Kennel, login: Login) =>
    kennel.refresh({ refreshToken: login.refreshToken, presented: presented(login) })

  it('limits the lifetime of an access token (ACCESS_TOKEN_TTL)', async () => {
    for (const others of [
      { ...LOW, refreshTokenTtl: '10m', sessionTtl: '10m' },
      { ...HIGH, refreshTokenTtl: '3650d', sessionTtl: '3650d' },
    ]) {
      const kennel = await open({ ...others, accessTokenTtl: '10m' })
      const [begun, login] = [now, await logIn(kennel)]
      now = begun + 10 * MINUTE - 2 * SECOND
      const before = await isActive(kennel, login)
      now = begun + 10 * MINUTE + LEEWAY
      expect([before, await isActive(kennel, login)], JSON.stringify(others)).to.deep.equal([true, false])
    }
  })

  it('limits the lifetime of a refresh token (REFRESH_TOKEN_TTL)', async () => {
    for (const others of [
      { ...LOW, accessTokenTtl: '1s', sessionTtl: '1h' },
      { ...HIGH, accessTokenTtl: '1h', sessionTtl: '3650d' },
    ]) {
      const kennel = await open({ ...others, refreshTokenTtl: '1h' })
      const [begun, login, late] = [now, await logIn(kennel), await logIn(kennel)]
      now = begun + HOUR - 2 * SECOND
      const before = await succeeds(refresh(kennel, login))
      now = begun + HOUR
      expect([before, await succeeds(refresh(kennel, late))], JSON.stringify(others)).to.deep.equal([
        true,
        false,
      ])
    }
  })

  it('limits the lifetime of a refreshed session (SESSION_TTL)', async () => {
    for (const others of [
      { ...LOW, accessTokenTtl: '1s', refreshTokenTtl: '1h' },
      { ...HIGH, accessTokenTtl: '2h', refreshTokenTtl: '2h' },
    ]) {
      const kennel = await open({ ...others, sessionTtl: '2h' })
      const begun = now
      let login = await logIn(kennel)
      const refreshed: boolean[] = []
      for (const at of [HOUR - 2 * SECOND, 2 * HOUR - 10 * SECOND, 2 * HOUR]) {
        now = begun + at
        const next = await refresh(kennel, login).catch(() => undefined)
        refreshed.push(next !== undefined)
        login = next ?? login
      }
      const ended = await isActive(kennel, login)
      expect([...refreshed, ended], JSON.stringify(others)).to.deep.equal([true, true, false, false])
    }
  })

  it('limits the reuse of a used refresh token (REFRESH_GRACE)', async () => {
    for (const others of [SHORT, LONG]) {
      const kennel = await open({ ...others, refreshGrace: '30s' })
      const [begun, login] = [now, await logIn(kennel)]
      const { refreshToken } = await refresh(kennel, login)
      now = begun + 30 * SECOND - 1
      const again = await refresh(kennel, login)
      now = begun + 30 * SECOND
      expect(again.refreshToken, JSON.stringify(others)).to.equal(refreshToken)
      expect(await succeeds(refresh(kennel, login)), JSON.stringify(others)).to.equal(false)
    }
  })

  it('limits the duration of an impersonation (IMPERSONATION_TTL)', async () => {
    for (const others of [
      { ...LOW, accessTokenTtl: '1s', refreshTokenTtl: '1h', sessionTtl: '1h' },
      { ...HIGH, accessTokenTtl: '3650d', refreshTokenTtl: '3650d', sessionTtl: '3650d' },
    ]) {
      const kennel = await open({ ...others, impersonationTtl: '30m' })
      await kennel.createRole({ caller: OPERATOR, key: 'admin', label: 'Admin' })
      await kennel.createUser({ caller: OPERATOR, email: BOSS, password: PASSWORD, roles: ['admin'] })
      const boss = await kennel.login({ email: BOSS, password: PASSWORD, presented: {} })
      const begun = now
      const acting = await kennel.loginAs({ userId: 1, presented: presented(boss) })
      now = begun + 30 * MINUTE - 2 * SECOND
      const next = await refresh(kennel, acting)
      now = begun + 30 * MINUTE
      expect(await succeeds(refresh(kennel, next)), JSON.stringify(others)).to.equal(false)
    }
  })

  it('limits the lifetime of a reset token (RESET_TOKEN_TTL)', async () => {
    for (const others of [SHORT, LONG]) {
      const kennel = await open({ ...others, resetTokenTtl: '10m', ...RESETTING })
      const consumed: boolean[] = []
      for (const later of [10 * MINUTE - 1, 10 * MINUTE]) {
        await kennel.requestPasswordReset({ email: EMAIL, presented: {} })
        await kennel.sendMails()
        const resetToken = tokenIn(postbox.arrived.findLast(({ text }) => text.includes('resetToken')))
        now += later
        const input = { email: EMAIL, resetToken, password: `${PASSWORD} ${later}`, presented: {} }
        consumed.push(await succeeds(kennel.consumeResetToken(input)))
      }
      expect(consumed, JSON.stringify(others)).to.deep.equal([true, false])
    }
  })

  it('limits the age of audit records (AUDIT_RETENTION)', async () => {
    for (const others of [SHORT, LONG]) {
      const kennel = await open({ ...others, auditRetention: '2d' })
      const begun = now
      const kept: number[] = []
      for (const age of [2 * DAY, 2 * DAY + 1]) {
        now = begun + age
        await kennel.purgeExpired()
        kept.push((await kennel.listAudit({ caller: OPERATOR, limit: 10 })).length)
      }
      expect(kept, JSON.stringify(others)).to.deep.equal([1, 0])
    }
  })

  it('limits the number of failed logins to an account (LOGIN_LIMIT)', async () => {
    for (const others of [SHORT, LONG]) {
      const kennel = await open({ ...others, loginLimit: '3/10m' })
      const attempt = (password: string) =>
        succeeds(kennel.login({ email: EMAIL, password, presented: { client: CLIENT } }))
      const begun = now
      for (let failed = 0; failed < 3; failed += 1) await attempt('wrong')
      now = begun + 10 * MINUTE - 1
      const before = await attempt(PASSWORD)
      now = begun + 10 * MINUTE
      expect([before, await attempt(PASSWORD)], JSON.stringify(others)).to.deep.equal([false, true])
    }
  })

  it('limits the number of sessions of an account (SESSION_LIMIT)', async () => {
    for (const others of [SHORT, LONG]) {
      const kennel = await open({ ...others, sessionLimit: 2 })
      const logins: Login[] = []
      for (let count = 0; count < 3; count += 1, now += 1) logins.push(await logIn(kennel))
      const active = await Promise.all(logins.map((login) => isActive(kennel, login)))
      expect(active, JSON.stringify(others)).to.deep.equal([false, true, true])
    }
  })
})
