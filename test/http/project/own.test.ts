import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { impersonation } from '../../support/http/acting.js'
import {
  CLOSE_PROJECT,
  CREATE_PROJECT,
  credentials,
  newcomer,
  PROJECT,
  PROJECTS,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import type { Call, Reply } from '../../support/http/client.js'
import {
  comparable,
  notSaved,
  PROJECT_INVALID_TOKEN,
  PROJECT_UNAVAILABLE,
} from '../../support/http/expected.js'
import { itWithSessions } from '../../support/http/modes.js'
import { startService, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'

const EDITOR = 'project-editor'
const EDITORS = {
  roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: ['*'] } } },
}
const NO_PROJECT = notSaved(404, {
  message: 'There is no project with this id.',
  field: '',
  type: 'NotFound',
})
const NOT_GRANTED = notSaved(403, {
  message: 'This action is not granted to you.',
  field: '',
  type: 'Forbidden',
})

type Shown = { readonly id: number; readonly closedAt?: string }

const dataOf = (reply: Reply) => (reply.json as { view: { data: Shown } }).view.data
const pageOf = (reply: Reply) => (reply.json as { view: { data: readonly Shown[] } }).view.data

async function add(browser: Browser, change: object = {}): Promise<Shown> {
  const reply = await browser.send('POST', CREATE_PROJECT, { json: { ...PROJECT, ...change } })
  expect(reply.status, reply.text).to.equal(201)
  return dataOf(reply)
}

const list = (browser: Browser, query = '') => browser.send('GET', `${PROJECTS}${query}`)
const read = (browser: Browser, id: number | string) => browser.send('GET', `${PROJECTS}/${id}`)
const close = (browser: Browser, id: unknown) => browser.send('POST', CLOSE_PROJECT, { json: { id } })

describe('one’s own projects', () => {
  let service: TestService
  before(async () => {
    service = await startService({ permissions: EDITORS })
  })
  after(() => service.close())

  const editor = () => newcomer(service, [EDITOR])

  it('are read as they were created', async () => {
    const browser = await editor()
    const project = await add(browser)
    const reply = await read(browser, project.id)
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal({ code: 200, response: true, view: { data: project, messages: [] } })
    expect(reply.headers['cache-control']).to.equal('no-store')
    expect(setCookies(reply)).to.deep.equal([])
  })

  it('are the only ones listed, in order of creation, page by page', async () => {
    const [ann, bob] = [await editor(), await editor()]
    const own: Shown[] = []
    for (let number = 1; number <= 5; number += 1) {
      own.push(await add(ann, { label: `Ann ${number}` }))
      await add(bob, { label: `Bob ${number}` })
    }
    const whole = await list(ann)
    expect(whole.json).to.deep.equal({ code: 200, response: true, view: { data: own, messages: [] } })
    expect(whole.headers).to.not.have.any.keys('x-next', 'link')
    const seen: Shown[] = []
    let query: string | undefined = '?limit=2'
    for (let pages = 0; query !== undefined; pages += 1) {
      const reply = await list(ann, query)
      expect(reply.status, reply.text).to.equal(200)
      expect(pageOf(reply)).to.have.length(pages < 2 ? 2 : 1)
      seen.push(...pageOf(reply))
      const next = reply.headers['x-next'] as string | undefined
      expect(reply.headers['link']).to.equal(next && `<${next}>; rel="next"`)
      if (next !== undefined) expect(next).to.match(/^http:\/\/[^/]+\/api\/project\?limit=2&cursor=[\w-]+$/)
      query = next?.slice(next.indexOf('?'))
    }
    expect(seen).to.deep.equal(own)
  })

  it('are an empty list for an account without projects', async () => {
    const reply = await list(await editor())
    expect(reply.json).to.deep.equal({ code: 200, response: true, view: { data: [], messages: [] } })
  })

  it('are closed once: later closings change nothing', async () => {
    const browser = await editor()
    const project = await add(browser)
    const closed = { ...project, closedAt: new Date(service.clock.now).toISOString() }
    const first = await close(browser, project.id)
    service.clock.now += 1500
    const second = await close(browser, project.id)
    expect(first.json).to.deep.equal({
      code: 200,
      response: true,
      view: { saved: true, data: closed, messages: [] },
    })
    expect(second.text).to.equal(first.text)
    expect(dataOf(await read(browser, project.id))).to.deep.equal(closed)
    expect(pageOf(await list(browser))).to.deep.equal([closed])
  })

  it('are 404 to every other account, with the same bytes as an unknown project', async () => {
    const [ann, bob] = [await editor(), await editor()]
    const { id } = await add(ann)
    for (const call of [read, close]) {
      const others = await call(bob, id)
      expect(others.json).to.deep.equal(NO_PROJECT)
      expect(comparable(await call(bob, 999_999_999))).to.deep.equal(comparable(others))
    }
    expect(dataOf(await read(ann, id))).to.not.have.property('closedAt')
  })

  it('are 404 for a malformed ID', async () => {
    const browser = await editor()
    await add(browser)
    for (const id of ['0', '-1', '01', '1.5', '9007199254740992', 'x', '%00', '%7B%22$gt%22:%22%22%7D'])
      expect((await read(browser, id)).json, id).to.deep.equal(NO_PROJECT)
  })
})

describe("the routes of a user's projects", () => {
  const serve = servicesOfTests()
  let service: TestService
  before(async () => {
    service = await startService({ permissions: EDITORS })
  })
  after(() => service.close())

  const CALLS: readonly (readonly [method: string, path: string, call: Call])[] = [
    ['GET', PROJECTS, {}],
    ['GET', `${PROJECTS}/1`, {}],
    ['POST', CLOSE_PROJECT, { json: { id: 1 } }],
  ]

  itWithSessions('need cookie and bearer token, and accept no other credential', async () => {
    const browser = await newcomer(service, [EDITOR])
    const other = (await newcomer(service, [EDITOR])).held()
    const { cookie, accessToken } = browser.held()
    const basic = Buffer.from(`${browser.email}:correct horse battery`).toString('base64')
    const key = await service.apiKey([EDITOR])
    for (const headers of [
      {},
      credentials({ cookie }),
      credentials({ accessToken }),
      credentials({ cookie, accessToken: other.accessToken }),
      { Authorization: `Basic ${basic}` },
      { 'X-API-Key': key },
    ]) {
      for (const [method, path, call] of CALLS) {
        const reply = await service.client.call(method, path, { headers, ...call })
        expect(reply.status, `${method} ${path}`).to.equal(401)
        expect(reply.json).to.deep.equal(PROJECT_INVALID_TOKEN)
      }
    }
  })

  it('are closed to a caller that may only create, as in the built-in permissions', async () => {
    const usual = await serve()
    const browser = await newcomer(usual, ['admin', EDITOR])
    const { id } = await add(browser)
    for (const [method, path, call] of [...CALLS, ['GET', `${PROJECTS}/${id}`, {}] as const])
      expect((await browser.send(method, path, call)).json, `${method} ${path}`).to.deep.equal(NOT_GRANTED)
  })

  it('have separate permissions', async () => {
    for (const [action, permitted] of [
      ['list', [200, 403, 403]],
      ['read', [403, 404, 403]],
      ['close', [403, 403, 404]],
    ] as const) {
      const rules = {
        roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: [action] } } },
      }
      const browser = await newcomer(await serve({ permissions: rules }), [EDITOR])
      const statuses: number[] = []
      for (const [method, path, call] of CALLS) statuses.push((await browser.send(method, path, call)).status)
      expect(statuses, action).to.deep.equal(permitted)
    }
  })

  itWithSessions('show an impersonating administrator the projects of the target', async () => {
    const { browser, target } = await impersonation(service, [EDITOR])
    const project = await add(target)
    expect(pageOf(await list(browser))).to.deep.equal([project])
    expect(dataOf(await read(browser, project.id))).to.deep.equal(project)
    expect((await close(browser, project.id)).status).to.equal(200)
    expect(dataOf(await read(target, project.id))).to.have.property('closedAt')
  })

  for (const [query, field] of [
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=', 'cursor'],
    ['?cursor=x', 'cursor'],
    // A cursor of the pets.
    ['?cursor=cDE6MjA', 'cursor'],
    ['?cursor=ajE6MjA&cursor=ajE6MjA', 'cursor'],
  ] as const) {
    it(`are 400 with ${query}`, async () => {
      const reply = await list(await newcomer(service, [EDITOR]), query)
      expect(reply.status).to.equal(400)
      const { messages } = (reply.json as { view: { messages: readonly { field: string }[] } }).view
      expect(messages.map((one) => one.field)).to.deep.equal([field])
    })
  }

  for (const id of [undefined, null, '']) {
    it(`close nothing without an ID: ${String(id)}`, async () => {
      const reply = await close(await newcomer(service, [EDITOR]), id)
      expect(reply.json).to.deep.equal(notSaved(422, { field: 'id', message: 'required', type: 'Required' }))
    })
  }

  for (const id of ['1', 0, -1, 1.5, 2 ** 53, true, [1], { $gt: '' }]) {
    it(`close nothing with the ID ${JSON.stringify(id)}`, async () => {
      const reply = await close(await newcomer(service, [EDITOR]), id)
      expect(reply.json).to.deep.equal(notSaved(422, { field: 'id', message: 'not-valid', type: 'NotValid' }))
    })
  }

  it('reject a body that is not JSON, and check the permission before the fields', async () => {
    const browser = await newcomer(service, [EDITOR])
    const headers = { 'Content-Type': 'application/json' }
    expect((await browser.send('POST', CLOSE_PROJECT, { headers, body: '{' })).status).to.equal(400)
    expect((await browser.send('POST', CLOSE_PROJECT, { body: 'id=1' })).status).to.equal(415)
    expect((await close(await newcomer(service), 'x')).status).to.equal(403)
  })

  it('are 503 with Retry-After while the store is unavailable', async () => {
    const away = await serve({ permissions: EDITORS })
    const browser = await newcomer(away, [EDITOR])
    await away.store.close()
    for (const [method, path, call] of CALLS) {
      const reply = await browser.send(method, path, call)
      expect(reply.json).to.deep.equal(PROJECT_UNAVAILABLE)
      expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
    }
  })
})
