import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { impersonation } from '../../support/http/acting.js'
import { CLOSE_PROJECT, CREATE_PROJECT, PROJECT, PROJECTS, type Browser } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { itWithSessions } from '../../support/http/modes.js'
import { startService, type TestService } from '../../support/http/service.js'

const EDITOR = 'project-editor'
const EDITORS = {
  roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: ['*'] } } },
}

type Shown = { readonly id: number; readonly closedAt?: string }

const dataOf = (reply: Reply) => (reply.json as { view: { data: Shown } }).view.data
const pageOf = (reply: Reply) => (reply.json as { view: { data: readonly Shown[] } }).view.data

async function add(browser: Browser): Promise<Shown> {
  const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
  expect(reply.status, reply.text).to.equal(201)
  return dataOf(reply)
}

const list = (browser: Browser) => browser.send('GET', PROJECTS)
const read = (browser: Browser, id: number | string) => browser.send('GET', `${PROJECTS}/${id}`)
const close = (browser: Browser, id: unknown) => browser.send('POST', CLOSE_PROJECT, { json: { id } })

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
