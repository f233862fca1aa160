import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import { freshEmail } from '../../support/http/browser.js'
import { servicesOfTests, type TestOptions } from '../../support/http/service.js'
import { watching } from '../../support/watched-store.js'

const USERS = '/api/admin/users'
const PASSWORD = 'a longer walk in the park'
const PERMISSIONS = {
  roles: { cli: { components: { ...ACTIONS } }, root: { components: { ...ACTIONS } }, editor: {} },
}

/**
 * Malformed requests, and the error that each gets: the code and the field with its message, as the library reports
 * them.
 */
const MALFORMED: readonly (readonly [
  method: string,
  path: string,
  json: object | undefined,
  status: number,
  message: string,
])[] = [
  ['GET', `${USERS}?emial=a`, undefined, 400, 'unknown field "emial" (did you mean "email"?)'],
  ['GET', `${USERS}?limit=101`, undefined, 400, 'limit: must be an integer from 1 to 100'],
  ['GET', `${USERS}?cursor=abc`, undefined, 400, 'cursor: is not a cursor of this service'],
  ['GET', `${USERS}?role=none`, undefined, 404, 'role: There is no role "none".'],
  ['GET', `${USERS}/99`, undefined, 404, 'id: There is no account with this id.'],
  [
    'POST',
    USERS,
    { email: 'x@example.com', password: PASSWORD, anyLength: true },
    400,
    'unknown field "anyLength"',
  ],
  [
    'POST',
    '/api/admin/api-keys',
    { name: 'x', expiresAt: '2027' },
    400,
    'expiresAt: must be a time in UTC, such as 2027-03-01T12:00:00Z',
  ],
  ['DELETE', '/api/admin/api-keys/x', undefined, 400, 'id: must be the id of an API key, a positive integer'],
]

describe('administration over HTTP', () => {
  const serve = servicesOfTests()

  async function started(options: TestOptions = {}) {
    const service = await serve({ ...options, permissions: PERMISSIONS, settings: { administration: 'on' } })
    const key = await service.apiKey(['root'])
    await service.account('taken@example.com', ['editor'])
    await service.useCases.assignRole({ caller: OPERATOR, email: '1', role: 'editor', remove: true })
    const call = (method: string, path: string, json?: object) =>
      service.client.call(method, path, { headers: { 'X-API-Key': key }, ...(json && { json }) })
    return { service, call }
  }

  it('reports each malformed request with the same error as the library', async () => {
    const { call } = await started()
    for (const [method, path, json, status, message] of MALFORMED)
      expect([path, (await call(method, path, json)).json]).to.deep.equal([path, { code: status, message }])
  })

  it('refuses the export of an account with too many records, after reading 10,000', async () => {
    let pages = 0
    const record = { event: 'login', at: 0, accounts: [] }
    const page = Array.from({ length: 500 }, (_, id) => ({ ...record, id: String(id) }))
    const aroundStore = watching(async (name, run) => {
      if (name !== 'audit.page') return await run()
      pages += 1
      return page
    })
    const { call } = await started({ aroundStore })
    const { json } = await call('GET', `${USERS}/1/export`)
    const message =
      'The account has more than 10,000 sessions, API keys, projects or audit records: an operator can export it with `app user export`.'
    expect({ json, pages }).to.deep.equal({ json: { code: 409, message }, pages: 21 })
  })

  it('refuses the cursor of the list in a search, and the cursor of a search in the list', async () => {
    const { service, call } = await started()
    for (const name of ['a', 'b']) await service.account(`x${name}@example.com`)
    for (const [first, second] of [
      ['', 'email=x'],
      ['email=x', ''],
    ]) {
      const { headers } = await call('GET', `${USERS}?${first}&limit=1`)
      const cursor = new URL(headers['x-next'] as string).searchParams.get('cursor')
      const { json } = await call('GET', `${USERS}?${second}&cursor=${cursor}`)
      expect(json).to.deep.equal({ code: 400, message: 'cursor: is not a cursor of this service' })
    }
  })

  it('returns lists in pages, and the address of the next page keeps the filters', async () => {
    const { service, call } = await started()
    for (const name of ['c', 'я', 'a', 'ф']) await service.account(`x${name}@example.com`)
    const emails: string[] = []
    let path: string | undefined = `${USERS}?email=x&limit=1`
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const { json, headers } = await call('GET', path)
      emails.push(...(json as { email: string }[]).map(({ email }) => email))
      path = (headers['x-next'] as string | undefined)?.slice(service.origin.length)
    }
    expect(emails).to.deep.equal(['xa', 'xc', 'xф', 'xя'].map((name) => `${name}@example.com`))
  })

  it('records the caller, the address and the request ID of the reply', async () => {
    const { service, call } = await started()
    const { headers } = await call('POST', USERS, { email: freshEmail(), password: PASSWORD })
    expect(headers.location).to.equal(`${service.origin}${USERS}/2`)
    const { json } = await call('GET', '/api/admin/audit?limit=1&order=newest-first')
    expect((json as object[])[0]).to.include({
      ...{ event: 'user.create', actor: 'apikey:1', subject: 'account:2', address: '127.0.0.1' },
      requestId: headers['x-request-id'],
    })
  })

  it('lists the permissions of the caller', async () => {
    const { call } = await started()
    const { json } = await call('GET', '/api/admin/permissions')
    expect(json).to.deep.equal({ caller: { kind: 'api-key', id: 1 }, permissions: ACTIONS })
  })
})
