import { expect } from 'chai'
import { OPERATOR, type Kennel, type KennelOptions } from '../../src/index.js'
import { EMAIL, openMemoryKennel } from '../support/http/memory-kennel.js'
import { PASSWORD, START } from '../support/http/service.js'
import { presentedBy } from '../support/use-cases.js'
import { GENEROUS } from './opening.js'
import { createPostbox, tokenIn } from '../support/mail/postbox.js'

type Options = Partial<KennelOptions>
type Login = Awaited<ReturnType<Kennel['login']>>

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The clocks of instances may differ, so an access token is accepted for this additional time. */
const LEEWAY = 5 * SECOND
const BOSS = 'boss@example.com'

/** The lowest and highest values of the settings that are independent of each other. */
const LOW: Options = {
  ...{ refreshGrace: '0', impersonationTtl: '1m', resetTokenTtl: '1m', auditRetention: '1d' },
  ...{ loginLimit: '1000/1m', sessionLimit: 10_000, bodyLimit: '1kb' },
}
const HIGH: Options = {
  ...{ refreshGrace: '60s', impersonationTtl: '1d', resetTokenTtl: '1d', auditRetention: '3650d' },
  ...{ loginLimit: 'off', sessionLimit: 'off', bodyLimit: '16mb' },
}
/** The shortest and longest values of the lifetimes that must be in ascending order. */
const SHORT: Options = { accessTokenTtl: '1s', refreshTokenTtl: '1m', sessionTtl: '1m' }
const LONG: Options = { accessTokenTtl: '3650d', refreshTokenTtl: '3650d', sessionTtl: '3650d' }

const logIn = (kennel: Kennel) => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
const isActive = (kennel: Kennel, login: Login) => succeeds(kennel.getIdentity(presentedBy(login)))
const refresh = (kennel: Kennel, login: Login) =>
  kennel.refresh({ refreshToken: login.refreshToken, presented: presentedBy(login) })

describe('a setting, even if the other settings have extreme values,', () => {
  let now = START
  const postbox = createPostbox()

  const at = async <Result>(time: number, work: () => Promise<Result>) => {
    now = START + time
    return await work()
  }

  /** Expects the same result with the lowest and with the highest values of the other settings. */
  function itLimits(
    what: string,
    option: Options,
    [lifetimes, play, expected]: readonly [
      readonly [low: Options, high: Options],
      (kennel: Kennel) => Promise<unknown>,
      unknown,
    ],
  ): void {
    it(`limits ${what}`, async () => {
      const [low, high] = lifetimes
      for (const others of [
        { ...LOW, ...low },
        { ...HIGH, ...high },
      ]) {
        now = START
        const parts = { clock: () => now, mailer: postbox.mailer }
        const kennel = await openMemoryKennel({ ...others, ...option, parts })
        expect(await play(kennel), JSON.stringify(others)).to.deep.equal(expected)
        await kennel.close()
      }
    })
  }

  itLimits('the lifetime of an access token (ACCESS_TOKEN_TTL)', { accessTokenTtl: '10m' }, [
    [{ refreshTokenTtl: '10m', sessionTtl: '10m' }, LONG],
    async (kennel) => {
      const login = await logIn(kennel)
      return [
        await at(10 * MINUTE - 2 * SECOND, () => isActive(kennel, login)),
        await at(10 * MINUTE + LEEWAY, () => isActive(kennel, login)),
      ]
    },
    [true, false],
  ])

  itLimits('the lifetime of a refreshed session (SESSION_TTL)', { sessionTtl: '2h' }, [
    [
      { accessTokenTtl: '1s', refreshTokenTtl: '1h' },
      { accessTokenTtl: '2h', refreshTokenTtl: '2h' },
    ],
    async (kennel) => {
      let login = await logIn(kennel)
      const refreshed: boolean[] = []
      for (const time of [HOUR - 2 * SECOND, 2 * HOUR - 10 * SECOND, 2 * HOUR]) {
        const next = await at(time, () => refresh(kennel, login)).catch(() => undefined)
        refreshed.push(next !== undefined)
        login = next ?? login
      }
      return [...refreshed, await isActive(kennel, login)]
    },
    [true, true, false, false],
  ])

  itLimits('the duration of an impersonation (IMPERSONATION_TTL)', { impersonationTtl: '30m' }, [
    [{ accessTokenTtl: '1s', refreshTokenTtl: '1h', sessionTtl: '1h' }, LONG],
    async (kennel) => {
      await kennel.createRole({ caller: OPERATOR, key: 'admin', label: 'Admin' })
      await kennel.createUser({ caller: OPERATOR, email: BOSS, password: PASSWORD, roles: ['admin'] })
      const boss = await kennel.login({ email: BOSS, password: PASSWORD, presented: {} })
      const acting = await kennel.loginAs({ userId: 1, presented: presentedBy(boss) })
      const next = await at(30 * MINUTE - 2 * SECOND, () => refresh(kennel, acting))
      return await at(30 * MINUTE, () => succeeds(refresh(kennel, next)))
    },
    false,
  ])

  const resets = { resetTokenTtl: '10m', permissions: GENEROUS, publicUrl: 'https://pets.example' }
  itLimits('the lifetime of a reset token (RESET_TOKEN_TTL)', resets, [
    [SHORT, LONG],
    async (kennel) => {
      const consumed: boolean[] = []
      for (const time of [10 * MINUTE - 1, 20 * MINUTE - 1]) {
        await kennel.requestPasswordReset({ email: EMAIL, presented: {} })
        await kennel.sendMails()
        const resetToken = tokenIn(postbox.arrived.findLast(({ text }) => /\/reset-password#/.test(text)))
        const input = { email: EMAIL, resetToken, password: `${PASSWORD} ${time}`, presented: {} }
        consumed.push(await at(time, () => succeeds(kennel.consumeResetToken(input))))
      }
      return consumed
    },
    [true, false],
  ])

  itLimits('the age of audit records (AUDIT_RETENTION)', { auditRetention: '2d' }, [
    [SHORT, LONG],
    async (kennel) => {
      const kept: number[] = []
      for (const age of [2 * DAY, 2 * DAY + 1]) {
        await at(age, () => kennel.purgeExpired())
        kept.push((await kennel.listAudit({ caller: OPERATOR, limit: 10 })).length)
      }
      return kept
    },
    [1, 0],
  ])

  itLimits('the number of failed logins to an account (LOGIN_LIMIT)', { loginLimit: '3/10m' }, [
    [SHORT, LONG],
    async (kennel) => {
      const presented = { client: { address: '192.0.2.7', requestId: 'r', userAgent: 'node' } }
      const attempt = (password: string) => succeeds(kennel.login({ email: EMAIL, password, presented }))
      for (let failed = 0; failed < 3; failed += 1) await attempt('wrong')
      return [
        await at(10 * MINUTE - 1, () => attempt(PASSWORD)),
        await at(10 * MINUTE, () => attempt(PASSWORD)),
      ]
    },
    [false, true],
  ])

  itLimits('the number of sessions per account (SESSION_LIMIT)', { sessionLimit: 2 }, [
    [SHORT, LONG],
    async (kennel) => {
      const logins: Login[] = []
      for (const time of [0, 1, 2]) logins.push(await at(time, () => logIn(kennel)))
      return await Promise.all(logins.map((login) => isActive(kennel, login)))
    },
    [false, true, true],
  ])
})
