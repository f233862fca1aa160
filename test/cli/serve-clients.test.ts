import { expect } from 'chai'
import { connectionTable, expectedOf, outcomesOf } from '../support/http/connection-table.js'
import { onLinuxOnly } from './workers.js'
import { workplaceOfTests } from './app.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a quiet river at dusk'
const LIMITS = { REQUEST_TIMEOUT: '2s', KEEP_ALIVE_TIMEOUT: '65s', SHUTDOWN_GRACE: '2s' }

describe('app serve', () => {
  const place = workplaceOfTests()

  onLinuxOnly()

  for (const WORKERS of ['1', '2'])
    it(`sends the expected responses to half-closed, slow, broken and pipelining clients, with WORKERS=${WORKERS}`, async () => {
      const input = `${PASSWORD}\n`
      await place.app(['user', 'create', EMAIL, '--password-stdin'], { input })
      const { stdout } = await place.app(['apikey', 'create', 'one'])
      const { key } = JSON.parse(stdout) as { key: string }
      const table = connectionTable({ apiKey: key, email: EMAIL, password: PASSWORD })
      const service = await place.serve({ ...LIMITS, WORKERS })
      expect(await outcomesOf(service.origin, table)).to.deep.equal(expectedOf(table))
      expect(await service.stop()).to.equal(0)
      expect(service.log().match(/.*"level":"error".*/g)).to.equal(null)
    })
})
