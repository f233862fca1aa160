import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { impersonation } from '../../support/http/acting.js'
import {
  CLOSE_PROJECT,
  CREATE_PROJECT,
  newcomer,
  PROJECT,
  PROJECTS,
  type Browser,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { comparable, notSaved } from '../../support/http/expected.js'
import { itWithSessions } from '../../support/http/modes.js'
import { startService, type TestService } from '../../support/http/service.js'

const EDITOR = 'project-editor'
const EDITORS = {
  roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: ['*'] } } },
}
const NO_PROJECT = notSaved(404, {
  message: 'There is no project with this id.',
  field: '',
  type: 'NotFound',
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
})

describe("the routes of a user's projects", () => {
  let service: TestService
  before(async () => {
    service = await startService({ permissions: EDITORS })
  })
  after(() => service.close())

  itWithSessions('show an impersonating administrator the projects of the target', async () => {
    const { browser, target } = await impersonation(service, [EDITOR])
    const project = await add(target)
    expect(pageOf(await list(browser))).to.deep.equal([project])
    expect(dataOf(await read(browser, project.id))).to.deep.equal(project)
    expect((await close(browser, project.id)).status).to.equal(200)
    expect(dataOf(await read(target, project.id))).to.have.property('closedAt')
  })
})
