import { expect } from 'chai'
import { observed } from './observed.js'

const FORWARDED = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.1' }

/** The log lines of requests with these headers, except the request lines. */
async function told(trustProxy: number, headers: readonly Record<string, string>[]) {
  const { lines } = await observed(
    async ({ client }) => {
      for (const one of headers) await client.call('GET', '/health/live', { headers: one })
    },
    { settings: { trustProxy } },
  )
  return lines
}

describe('X-Forwarded-For', () => {
  it('is reported once if no proxy is trusted, with the setting to change', async () => {
    const [line, ...more] = await told(0, [{}, FORWARDED, FORWARDED, {}])
    expect(more).to.deep.equal([])
    expect(line).to.include({ level: 'warn', event: 'configuration' })
    expect(line?.fields.detail).to.include('set TRUST_PROXY to the number of proxies')
    expect(JSON.stringify(line)).to.not.match(/203|198/)
  })

  it('is not reported if it is trusted or absent', async () => {
    expect(await told(1, [FORWARDED])).to.deep.equal([])
    expect(await told(0, [{ Forwarded: 'for=203.0.113.9' }])).to.deep.equal([])
  })
})
