import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf, type Entry } from './audit-reading.js'
import {
  CREATE_PROJECT,
  credentials,
  GET_IDENTITY,
  newcomer,
  PROJECT,
  REFRESH,
  type Held,
} from '../../support/http/browser.js'

const GRACE = 10_000
const REQUEST = { 'X-Request-Id': 'audited.request-0001' }

describe('the audit log', () => {
  let service: TestService
  let newEntries: () => Promise<readonly Entry[]>
  beforeEach(async () => {
    service = await startService({
      lifetimes: { refreshGrace: GRACE },
      settings: { trustProxy: 1 },
    })
    newEntries = newEntriesOf(service.store)
  })
  afterEach(() => service.close())
  const send = (method: string, path: string, held: Held, json?: object) =>
    service.client.call(method, path, { headers: { ...credentials(held), ...REQUEST }, json })
  const refresh = ({ cookie, refreshToken }: Held) => send('POST', REFRESH, { cookie }, { refreshToken })
  /** Checks that every given credential was read. */
  const read = async <Guest>(guest: Promise<Guest>) => {
    const arrived = await guest
    await newEntries()
    return arrived
  }

  it('does not record everyday actions', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const key = await read(service.apiKey())
    const pets = { headers: { 'X-API-Key': key, ...REQUEST }, json: { name: 'Rex' } }
    const replies = [
      await send('GET', GET_IDENTITY, browser.held()),
      await send('POST', CREATE_PROJECT, browser.held(), PROJECT),
      await service.client.call('GET', '/v1/pets', { headers: pets.headers }),
      await service.client.call('POST', '/v1/pets', pets),
      await refresh(browser.held()),
    ]
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 201, 200, 201, 200])
    expect(await newEntries()).to.deep.equal([])
  })
})
