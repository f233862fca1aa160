import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import { OPERATOR, type Kennel } from '../../../src/index.js'
import { connectionTable, expectedOf, outcomesOf } from '../../support/http/connection-table.js'
import { webListener } from '../../support/http/host.js'
import { EMAIL, openMemoryKennel } from '../../support/http/memory-kennel.js'
import { PASSWORD } from '../../support/http/service.js'
import { serversOfTests } from '../../support/http/wire.js'
import { collectingLog } from '../../support/log-collector.js'

const REQUEST_TIMEOUT = 2_000

describe('the server of the service', () => {
  let kennel: Kennel
  let apiKey: string
  const collected = collectingLog()
  const bind = serversOfTests()
  before(async () => {
    kennel = await openMemoryKennel()
    ;({ key: apiKey } = await kennel.createApiKey({ caller: OPERATOR, name: 'one', roles: [] }))
  })
  after(() => kennel.close())

  const parts = () => ({
    ...{ useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready() },
    log: collected.log,
  })
  const hosts: Readonly<Record<string, () => RequestListener>> = {
    Koa: () => {
      const answer = createHttpService(parts()).callback()
      return (request, response) => void answer(request, response)
    },
    'a web handler': () => webListener({ ...parts(), bodyTimeout: 30_000 }),
  }
  for (const [host, listenerOf] of Object.entries(hosts))
    it(`sends the expected responses to half-closed, slow, broken and pipelining clients, over ${host}`, async () => {
      const server = await bind(listenerOf(), { requestTimeout: REQUEST_TIMEOUT })
      const table = connectionTable({ apiKey, email: EMAIL, password: PASSWORD })
      const outcomes = await outcomesOf(`http://127.0.0.1:${server.port}`, table)
      expect(outcomes).to.deep.equal(expectedOf(table))
      expect(collected.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
      expect(await server.drain(REQUEST_TIMEOUT), 'no connection is left').to.equal(true)
    })
})
