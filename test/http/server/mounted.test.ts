import { createServer } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import createSession from 'koa-session'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { Kennel } from '../../../src/index.js'
import { createClient, type Client } from '../../support/http/client.js'
import { basic } from '../../support/http/pet-calls.js'
import { mount } from '../../support/http/mount.js'
import { listening } from '../../support/listening.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { PASSWORD } from '../../support/http/service.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'

const PREFIX = '/kennel'

describe('the service mounted in another Koa application', () => {
  const audited: AuditRecord[] = []
  let kennel: Kennel
  let host: Koa
  let client: Client
  let stop: () => void
  /** The response that middleware of the host can read after the service has replied. */
  let seen: { status: number; body: unknown; state: object; session: string }

  beforeEach(async () => {
    audited.length = 0
    const auditSinks = [{ append: async (record: AuditRecord) => void audited.push(record) }]
    kennel = await openMemoryKennel({
      trustProxy: 1,
      corsOrigins: ['https://app.example'],
      parts: { auditSinks },
    })
    host = createHost()
    const { httpSettings: settings } = kennel
    const state = { readiness: () => kennel.ready(), isClosed: () => kennel.closed }
    const parts = { useCases: kennel, settings, ...state, log: SILENT_LOG, prefix: PREFIX }
    host.use(mount(PREFIX, createHttpService(parts)))
    host.use((ctx) => {
      ctx.body = 'the host'
    })
    const answer = host.callback()
    const server = createServer((request, response) => void answer(request, response))
    client = createClient(await listening(server), () => undefined)
    stop = () => {
      client.close()
      server.close()
    }
  })
  afterEach(async () => {
    stop()
    await kennel.close()
  })

  /** A host with its own sessions, as is common. */
  function createHost(): Koa {
    const app = new Koa()
    app.use(createSession({ key: 'host.sess', signed: false }, app as never))
    app.use(async (ctx, next) => {
      ctx.state = { user: 'of the host' }
      const { session } = ctx as unknown as { session: Record<string, unknown> }
      session['visited'] = true
      ctx.vary('Accept-Encoding')
      await next()
      seen = { status: ctx.status, body: ctx.body, state: ctx.state, session: JSON.stringify(session) }
      ctx.set('X-Host', 'after')
    })
    return app
  }

  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    client.call('POST', `${PREFIX}${path}`, { headers, json })
  const logIn = (headers?: Record<string, string>) =>
    post('/api/auth/login', { email: EMAIL, password: PASSWORD }, headers)

  it('does not change the session or state of the host application', async () => {
    const { headers } = await logIn()
    expect(seen.state).to.deep.equal({ user: 'of the host' })
    expect(seen.session).to.equal('{"visited":true}')
    expect(headers['set-cookie']?.map((one) => one.split('=', 1)[0])).to.deep.equal(['sid', 'host.sess'])
  })

  it('lets the host application read and extend the response', async () => {
    const reply = await client.call('GET', `${PREFIX}/health/live`)
    expect(seen).to.include({ status: 200 }).and.have.deep.property('body', { status: 'ok' })
    expect(reply.json).to.deep.equal({ status: 'ok' })
    expect(reply.headers).to.include({
      vary: 'Accept-Encoding, Origin',
      'x-host': 'after',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it('responds to unknown paths under its mount path and leaves other paths to the host application', async () => {
    const missing = await client.call('GET', `${PREFIX}/api/auth/nothing`)
    expect(missing.status).to.equal(404)
    expect(missing.json).to.have.nested.property('view.loggedIn', false)
    expect((await client.call('GET', '/kennels')).text).to.equal('the host')
  })

  it('includes its mount path in links', async () => {
    const headers = { Authorization: basic(EMAIL) }
    const first = await post('/v1/pets', { name: 'Rex' }, headers)
    expect(first.status).to.equal(201)
    expect(first.headers).to.include({ location: `${ORIGIN}${PREFIX}/v1/pets/1` })
    await post('/v1/pets', { name: 'Mia' }, headers)
    const page = await client.call('GET', `${PREFIX}/v1/pets?limit=1`, { headers })
    expect(page.headers['x-next']).to.match(/^http:\/\/127\.0\.0\.1:3000\/kennel\/v1\/pets\?limit=1&cursor=/)
  })

  it('trusts the proxy count in its own settings, not the count in the host settings', async () => {
    host.proxy = true
    await logIn({ 'X-Forwarded-For': '192.0.2.66, 192.0.2.1' })
    expect(audited.at(-1)).to.include({ event: 'login', address: '192.0.2.1' })
  })
})
