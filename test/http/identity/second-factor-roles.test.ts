import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { actingAs, LOGIN_AS, loginAs, logoutAs } from '../../support/http/acting.js'
import { CREATE_PROJECT, envelopeOf, newcomer, PROJECT, type Browser } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { again, FACTOR, guarded, viewOf } from '../../support/http/factor.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'

const FACTOR_ROLES = new Set(['admin', 'project-editor'] as RoleKey[])
const REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })

describe('roles that need a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService({ factorRoles: FACTOR_ROLES })
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  const rolesOf = async (browser: Browser) =>
    Object.keys(envelopeOf(await browser.getIdentity()).view.roleList)
  const createProject = async (browser: Browser) =>
    (await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status

  it('do not count in a session without the factor, unlike other roles', async () => {
    const browser = await newcomer(service, ['project-editor', 'editor'])
    expect(Object.keys(envelopeOf(await browser.login()).view.roleList)).to.deep.equal(['editor'])
    expect(await rolesOf(browser)).to.deep.equal(['editor'])
    expect(await createProject(browser)).to.equal(403)
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.have.property('required', true)
    expect((await browser.refresh()).status).to.equal(200)
    expect(await rolesOf(browser)).to.deep.equal(['editor'])
  })

  it('count in sessions that confirmed the factor or gave a code, and after refreshes', async () => {
    const account = await guarded(service, ['project-editor', 'editor'])
    for (const browser of [account, await again(service, account, 1)]) {
      expect(await rolesOf(browser)).to.deep.equal(['editor', 'project-editor'])
      expect(await createProject(browser)).to.equal(201)
      const reply = await browser.refresh()
      expect(Object.keys(envelopeOf(reply).view.roleList)).to.deep.equal(['editor', 'project-editor'])
      expect(await createProject(browser)).to.equal(201)
    }
  })

  it('do not permit login-as without a factor, and require a code of an account with a factor', async () => {
    const target = await newcomer(service, ['editor'])
    const without = await newcomer(service, ['admin'])
    expect((await loginAs(without, target.id)).status).to.equal(403)
    const admin = await guarded(service, ['admin'])
    const asked = await loginAs(admin, target.id)
    expect([asked.status, asked.json]).to.deep.equal([401, REQUIRED])
    expect((await admin.getIdentity()).status).to.equal(200)
    const acting = await admin.send('POST', LOGIN_AS, { json: { userId: target.id, code: admin.code(1) } })
    expect(acting.status).to.equal(200)
    const roleList = envelopeOf(acting).view.roleList
    expect((await admin.getIdentity()).json).to.deep.equal(actingAs(target, admin, roleList))
    expect(Object.keys(roleList)).to.deep.equal(['editor'])
    expect((await admin.refresh()).status, 'a refresh judges the administrator').to.equal(200)
    expect((await logoutAs(admin)).status).to.equal(200)
    expect(await rolesOf(admin)).to.deep.equal(['admin'])
  })
})

describe('an account with a second factor', () => {
  const serve = servicesOfTests()
  const basic = (email: string, password = PASSWORD) => ({
    Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
  })

  it('cannot read pets with its password alone; the reply is the same as for a wrong password', async () => {
    const service = await serve()
    const [account, plain] = [await guarded(service), await newcomer(service)]
    const pets = (headers: Record<string, string>) => service.client.call('GET', '/v1/pets', { headers })
    expect((await pets(basic(plain.email))).status).to.equal(200)
    const wrong = await pets(basic(account.email, 'wrong'))
    for (const _ of ['first', 'second', 'third']) {
      const reply = await pets(basic(account.email))
      expect([reply.status, reply.text]).to.deep.equal([401, wrong.text])
    }
  })

  it('computes a decoy hash for Basic, so that timing does not reveal a right password', async () => {
    const given: (string | undefined)[] = []
    const service = await serve({
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (password, hash) => {
          given.push(hash)
          return hasher.verify(password, hash)
        },
      }),
    })
    const account = await guarded(service)
    given.length = 0
    for (const password of [PASSWORD, PASSWORD, 'wrong'])
      await service.client.call('GET', '/v1/pets', { headers: basic(account.email, password) })
    expect(given).to.deep.equal([undefined, undefined, undefined])
  })
})
