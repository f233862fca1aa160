import { expect } from 'chai'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permission-rules.js'
import {
  CHANGE_PASSWORD,
  CLOSE_PROJECT,
  CREATE_PROJECT,
  createBrowser,
  END_SESSIONS,
  identityWith,
  newcomer,
  PROJECT,
  PROJECTS,
  refreshWith,
  setCookies,
  type Held,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import {
  CONFIRM,
  guarded,
  logInWith,
  REMOVE,
  setUp,
  SET_UP,
  STEP,
  viewOf,
} from '../../support/http/factor.js'
import { DELETE_ACCOUNT } from '../../support/http/protected-routes.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { PASSWORD, STATELESS, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { MISHAPS, watching } from '../../support/watched-store.js'

const NEW = 'the stable door is open'
const auth = ['change-password', 'end-sessions', 'second-factor', 'delete-account']
const PERMISSIONS: PermissionRules = {
  roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { auth, project: ['*'] } } },
}

/** One change: the request, and the checks of the state after the change was made or was not made. */
type Change = {
  readonly send: () => Promise<Reply>
  readonly judge: (done: boolean) => Promise<void>
}

/** Expects that the pair is rejected, and cannot be refreshed. */
async function expectDead(service: TestService, held: Held): Promise<void> {
  for (const reply of [await identityWith(service, held), await refreshWith(service, held)])
    expectInvalidToken(reply)
}

const statusOf = async (reply: Promise<Reply>) => (await reply).status

const CHANGES: Readonly<Record<string, (service: TestService) => Promise<Change>>> = {
  [CHANGE_PASSWORD]: async (service) => {
    const browser = await newcomer(service)
    const held = browser.held()
    return {
      send: () => browser.send('POST', CHANGE_PASSWORD, { json: { password: PASSWORD, newPassword: NEW } }),
      judge: async (done) => {
        const statuses: number[] = []
        for (const one of [PASSWORD, NEW])
          statuses.push(await statusOf(createBrowser(service, browser.email).login(one)))
        expect([...statuses].sort()).to.deep.equal([200, 401])
        const isChanged = statuses[1] === 200
        if (done) expect(isChanged).to.equal(true)
        if (isChanged) await expectDead(service, held)
      },
    }
  },
  [SET_UP]: async (service) => {
    const browser = await newcomer(service)
    return {
      send: () => setUp(browser),
      judge: async () => {
        expect(await statusOf(createBrowser(service, browser.email).login())).to.equal(200)
        expect(await statusOf(setUp(browser))).to.equal(200)
      },
    }
  },
  [CONFIRM]: async (service) => {
    const browser = await newcomer(service)
    const secret = String(viewOf(await setUp(browser))['secret'])
    const json = { code: oneTimeCode(secret, service.clock.now) }
    return {
      send: () => browser.send('POST', CONFIRM, { json }),
      judge: async (done) => {
        const without = await statusOf(logInWith(service, browser, undefined))
        const code = oneTimeCode(secret, service.clock.now + STEP)
        if (done) expect(without).to.equal(401)
        expect(await statusOf(logInWith(service, browser, code))).to.equal(200)
      },
    }
  },
  [REMOVE]: async (service) => {
    const account = await guarded(service)
    const json = { password: PASSWORD, code: account.code(1) }
    return {
      send: () => account.send('POST', REMOVE, { json }),
      judge: async (done) => {
        service.clock.now += 2 * STEP
        const without = await statusOf(logInWith(service, account, undefined))
        if (done) expect(without).to.equal(200)
        expect(await statusOf(logInWith(service, account, account.code()))).to.equal(200)
      },
    }
  },
  [DELETE_ACCOUNT]: async (service) => {
    const browser = await newcomer(service)
    const held = browser.held()
    const send = () => browser.send('POST', DELETE_ACCOUNT, { json: { password: PASSWORD } })
    return {
      send,
      judge: async (done) => {
        const login = await statusOf(createBrowser(service, browser.email).login())
        expect(login).to.equal(done ? 401 : login)
        if (login === 401) await expectDead(service, held)
        else expect(await statusOf(send())).to.equal(200)
      },
    }
  },
  ...(!STATELESS && {
    [END_SESSIONS]: async (service: TestService) => {
      const browser = await newcomer(service)
      const other = createBrowser(service, browser.email)
      await other.login()
      return {
        send: () => browser.send('POST', END_SESSIONS, { json: { others: true } }),
        judge: async (done: boolean) => {
          if (done) await expectDead(service, other.held())
          expect(await statusOf(browser.getIdentity())).to.equal(200)
        },
      }
    },
  }),
  [CLOSE_PROJECT]: async (service) => {
    const browser = await newcomer(service)
    const created = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
    const { id } = viewOf(created)['data'] as { id: number }
    const send = () => browser.send('POST', CLOSE_PROJECT, { json: { id } })
    return {
      send,
      judge: async (done) => {
        const project = viewOf(await browser.send('GET', `${PROJECTS}/${id}`))['data']
        if (done) expect(project).to.have.property('closedAt')
        expect(await statusOf(send())).to.equal(200)
      },
    }
  },
}

describe('a change during which a store call fails, for each call in turn', () => {
  const serve = servicesOfTests()

  const cases = Object.entries(CHANGES).flatMap(([path, prepare]) =>
    [false, true].map((isAnswerLost) => ({ path, prepare, isAnswerLost })),
  )
  for (const { path, prepare, isAnswerLost } of cases) {
    const loss = isAnswerLost ? 'after the call was made' : 'before the call'
    it(`is made completely or not at all, and causes a 503 if it was not made: ${path}, ${loss}`, async () => {
      let [made, lostAt] = [0, Infinity]
      const aroundStore = watching((_name, run) => {
        made += 1
        if (made < lostAt) return run()
        return made === lostAt && isAnswerLost ? MISHAPS['loses its answer'](run) : MISHAPS['is away']()
      })
      const replies: number[] = []
      const service = await serve({ aroundStore, permissions: PERMISSIONS })
      for (let [at, wasLost] = [1, true]; wasLost; at += 1) {
        const { send, judge } = await prepare(service)
        ;[made, lostAt] = [0, at]
        const reply = await send()
        wasLost = made >= at
        lostAt = Infinity
        replies.push(reply.status)
        expect(reply.status, `call ${at}`).to.be.oneOf([200, 503])
        if (reply.status === 503) expect(setCookies(reply)).to.deep.equal([])
        await judge(reply.status === 200)
      }
      expect(replies.at(-1)).to.equal(200)
      expect(replies.filter((status) => status === 503)).to.not.be.empty
    })
  }
})
