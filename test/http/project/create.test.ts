import { expect } from 'chai'
import { CREATE_PROJECT, credentials, newcomer, PROJECT, setCookies } from '../../support/http/browser.js'
import { notSaved, PROJECT_INVALID_TOKEN, PROJECT_UNAVAILABLE } from '../../support/http/expected.js'
import { watching } from '../../support/watched-store.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { servicesOfTests } from '../../support/http/services.js'

const REQUIRED = { message: 'required', type: 'Required' }
const WRONG = { message: 'not-valid', type: 'NotValid' }
const LENGTH = { message: 'not-valid', type: 'Length' }
const CHARACTERS = { message: 'not-valid', type: 'Format' }

type Expected = { readonly message: string; readonly type: string }

describe(`POST ${CREATE_PROJECT}`, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('creates a project in the name of the caller', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const first = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
    service.clock.now += 1500
    const second = await browser.send('POST', CREATE_PROJECT, { json: { ...PROJECT, budget: 0 } })
    const id = (first.json as { view: { data: { id: number } } }).view.data.id
    expect(first.status).to.equal(201)
    expect(first.json).to.deep.equal({
      code: 201,
      response: true,
      view: {
        saved: true,
        data: {
          id,
          ...PROJECT,
          createdBy: browser.id,
          createdAt: new Date(service.clock.now - 1500).toISOString(),
        },
        messages: [],
      },
    })
    const again = { ...PROJECT, budget: 0, createdBy: browser.id }
    expect((second.json as { view: { data: object } }).view.data).to.deep.equal({
      id: id + 1,
      ...again,
      createdAt: new Date(service.clock.now).toISOString(),
    })
    expect([first, second].flatMap(setCookies)).to.deep.equal([])
  })
})

describe(`POST ${CREATE_PROJECT}`, () => {
  const serve = servicesOfTests()
  let service: TestService
  let inserts = 0
  before(async () => {
    const aroundStore = watching((name, run) => {
      if (name === 'projects.insert') inserts += 1
      return run()
    })
    service = await startService({ aroundStore })
  })
  after(() => service.close())
  beforeEach(() => {
    inserts = 0
  })

  const errors: readonly (readonly [what: string, json: object, expected: Record<string, Expected>])[] = [
    ['nothing', {}, { label: REQUIRED, status: REQUIRED, budget: REQUIRED }],
    [
      'nulls',
      { label: null, status: null, budget: null },
      { label: REQUIRED, status: REQUIRED, budget: REQUIRED },
    ],
    ['empty strings', { ...PROJECT, label: '', status: '' }, { label: REQUIRED, status: REQUIRED }],
    ['a budget as a string', { ...PROJECT, budget: '1200' }, { budget: WRONG }],
    ['a negative budget', { ...PROJECT, budget: -0.01 }, { budget: WRONG }],
    [
      'all fields wrong',
      { label: 1, status: {}, budget: [] },
      { label: WRONG, status: WRONG, budget: WRONG },
    ],
    [
      'booleans',
      { label: true, status: false, budget: true },
      { label: WRONG, status: WRONG, budget: WRONG },
    ],
    [
      '201 characters',
      { ...PROJECT, label: 'x'.repeat(201), status: '🐕'.repeat(201) },
      { label: LENGTH, status: LENGTH },
    ],
    [
      'a control character',
      { ...PROJECT, label: 'a\u0000b', status: 'a\nb' },
      { label: CHARACTERS, status: CHARACTERS },
    ],
    ['a lone surrogate', { ...PROJECT, label: '\ud800' }, { label: CHARACTERS }],
    ['an operator', { ...PROJECT, label: { $gt: '' } }, { label: WRONG }],
  ]
  for (const [what, json, expected] of errors) {
    it(`with ${what}: 422 with a message for every field, and nothing saved`, async () => {
      const browser = await newcomer(service, ['project-editor'])
      const reply = await browser.send('POST', CREATE_PROJECT, { json })
      const messages = Object.entries(expected).map(([field, error]) => ({ field, ...error }))
      expect(reply.status).to.equal(422)
      expect(reply.json).to.deep.equal(notSaved(422, ...messages))
      expect(inserts).to.equal(0)
    })
  }

  it('rejects a budget that is too large for a number', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const body = '{"label":"a","status":"b","budget":1e999}'
    const headers = { 'Content-Type': 'application/json' }
    const reply = await browser.send('POST', CREATE_PROJECT, { headers, body })
    expect(reply.json).to.deep.equal(notSaved(422, { field: 'budget', ...WRONG }))
  })

  it('accepts 1 and 200 characters of any script, and a budget of 0', async () => {
    const browser = await newcomer(service, ['project-editor'])
    for (const text of ['x', '🐕'.repeat(200), ' blanks stay ', 'Zürich', '<b>&amp;']) {
      const json = { label: text, status: text, budget: 0 }
      const reply = await browser.send('POST', CREATE_PROJECT, { json })
      const { label, status } = (reply.json as { view: { data: { label: string; status: string } } }).view
        .data
      expect([label, status]).to.deep.equal([text, text])
    }
    expect(inserts).to.equal(5)
  })

  it('ignores other members of the body', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const json = { ...PROJECT, id: 4711, createdBy: 1, createdAt: '1999-01-01T00:00:00.000Z', role: 'admin' }
    const reply = await browser.send('POST', CREATE_PROJECT, { json })
    const { data } = (reply.json as { view: { data: Record<string, unknown> } }).view
    expect(data).to.have.keys('id', 'label', 'status', 'budget', 'createdBy', 'createdAt')
    expect(data['id']).to.not.equal(4711)
    expect(data['createdBy']).to.equal(browser.id)
    expect(data['createdAt']).to.equal(new Date(service.clock.now).toISOString())
  })

  itWithSessions('needs cookie and bearer token, and accepts no other credential', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const { cookie, accessToken } = browser.held()
    const basic = Buffer.from(`${browser.email}:correct horse battery`).toString('base64')
    const key = await service.apiKey(['project-editor'])
    for (const headers of [
      {},
      credentials({ cookie }),
      credentials({ accessToken }),
      { Authorization: `Basic ${basic}` },
      { 'X-API-Key': key },
    ]) {
      const reply = await service.client.call('POST', CREATE_PROJECT, { headers, json: PROJECT })
      expect(reply.status).to.equal(401)
      expect(reply.json).to.deep.equal(PROJECT_INVALID_TOKEN)
    }
    expect(inserts).to.equal(0)
  })

  it('is 503 with Retry-After while the store is unavailable', async () => {
    const away = await serve()
    const browser = await newcomer(away, ['project-editor'])
    await away.store.close()
    const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
    expect(reply.json).to.deep.equal(PROJECT_UNAVAILABLE)
    expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
  })
})
