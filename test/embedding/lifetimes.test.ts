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
const BOSS = 'boss@example.com'

const logIn = (kennel: Kennel) => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
const isActive = (kennel: Kennel, login: Login) => succeeds(kennel.getIdentity(presentedBy(login)))
const refresh = (kennel: Kennel, login: Login) =>
  kennel.refresh({ refreshToken: login.refreshToken, presented: presentedBy(login) })

describe('the option for a lifetime or limit', () => {
  let now = START
  const postbox = createPostbox()

  const at = async <Result>(time: number, work: () => Promise<Result>) => {
    now = START + time
    return await work()
  }

  function itLimits(
    what: string,
    option: Options,
    [play, expected]: readonly [(kennel: Kennel) => Promise<unknown>, unknown],
  ): void {
    it(`limits ${what}`, async () => {
      now = START
      const parts = { clock: () => now, mailer: postbox.mailer }
      const kennel = await openMemoryKennel({ ...option, parts })
      expect(await play(kennel)).to.deep.equal(expected)
      await kennel.close()
    })
  }

  itLimits('the grace window of a used refresh token', { refreshGrace: '30s' }, [
    async (kennel) => {
      const login = await logIn(kennel)
      const { refreshToken } = await refresh(kennel, login)
      const again = await at(30 * SECOND - 1, () => refresh(kennel, login))
      return [
        again.refreshToken === refreshToken,
        await at(30 * SECOND, () => succeeds(refresh(kennel, login))),
      ]
    },
    [true, false],
  ])

  itLimits('the duration of an impersonation', { impersonationTtl: '30m' }, [
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
  itLimits('the lifetime of a reset token', resets, [
    async (kennel) => {
      const consumed: boolean[] = []
      for (const time of [10 * MINUTE - 1, 20 * MINUTE - 1]) {
        await kennel.requestPasswordReset({ email: EMAIL, presented: {} })
        await kennel.sendMails()
        const resetToken = tokenIn(postbox.arrived.findLast(({ text }) => text.includes('resetToken')))
        const input = { email: EMAIL, resetToken, password: `${PASSWORD} ${time}`, presented: {} }
        consumed.push(await at(time, () => succeeds(kennel.consumeResetToken(input))))
      }
      return consumed
    },
    [true, false],
  ])

  itLimits('the age of audit records', { auditRetention: '2d' }, [
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

  itLimits('the number of failed logins to an account', { loginLimit: '3/10m' }, [
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

  itLimits('the number of sessions per account', { sessionLimit: 2 }, [
    async (kennel) => {
      const logins: Login[] = []
      for (const time of [0, 1, 2]) logins.push(await at(time, () => logIn(kennel)))
      return await Promise.all(logins.map((login) => isActive(kennel, login)))
    },
    [false, true, true],
  ])
})
