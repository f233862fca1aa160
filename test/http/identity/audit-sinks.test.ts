import { expect } from 'chai'
import { createAuditLines } from '../../../src/adapters/pino/index.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import { PASSWORD } from '../../support/http/service.js'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { collectingLog } from '../../support/log-collector.js'
import { servicesOfTests } from '../../support/http/services.js'
import { createGate } from '../../support/watched-store.js'

function keeping() {
  const records: AuditRecord[] = []
  const sink: AuditSink = {
    append: async (record) => {
      records.push(record)
    },
  }
  return { sink, records }
}

describe('where audit records go', () => {
  const serve = servicesOfTests()

  it('is every sink, and each gets the same', async () => {
    const [one, two] = [keeping(), keeping()]
    const collected = collectingLog()
    const service = await serve({
      auditSinks: (store) => [one.sink, store.audit, two.sink, createAuditLines(collected.log)],
    })
    const browser = createBrowser(service, freshEmail())
    const id = await service.account(browser.email)
    await browser.login()
    await browser.login('wrong')
    await browser.logout()
    expect(one.records.map(({ event, outcome }) => [event, outcome])).to.deep.equal([
      ['user.create', 'success'],
      ['login', 'success'],
      ['login', 'failure'],
      ['logout', 'success'],
    ])
    expect(two.records).to.deep.equal(one.records)
    expect(await service.store.audit.page({ limit: 10 })).to.deep.equal(one.records)
    const lines = collected.lines.filter(({ event }) => event === 'audit')
    expect(lines.map(({ fields }) => fields.audit?.subject)).to.deep.equal(Array(4).fill(`account:${id}`))
  })

  it('stops no request where it fails, and that is told', async () => {
    const lost: unknown[] = []
    const fault = new Error('the disk is full')
    const kept = keeping()
    const rejecting: AuditSink = { append: async () => await Promise.reject(fault) }
    const throwing: AuditSink = {
      append: () => {
        throw fault
      },
    }
    const service = await serve({
      auditSinks: () => [rejecting, throwing, kept.sink],
      onAuditLost: (error) => lost.push(error),
    })
    const browser = createBrowser(service, freshEmail())
    await service.account(browser.email)
    const replies = [await browser.login('wrong'), await browser.login(PASSWORD), await browser.logout()]
    expect(replies.map(({ status }) => status)).to.deep.equal([401, 200, 200])
    expect(lost).to.deep.equal(Array(8).fill(fault))
    expect(kept.records).to.have.length(4)
  })

  it('is nowhere where there is no sink', async () => {
    const lost: unknown[] = []
    const service = await serve({ auditSinks: () => [], onAuditLost: (error) => lost.push(error) })
    const browser = createBrowser(service, freshEmail())
    await service.account(browser.email)
    expect((await browser.login()).status).to.equal(200)
    expect(await service.store.audit.page({ limit: 10 })).to.deep.equal([])
    expect(lost).to.deep.equal([])
  })

  it('has the record before the reply is sent', async () => {
    const gate = createGate()
    const service = await serve({ auditSinks: () => [{ append: () => gate.pass() }] })
    let answered = false
    const login = createBrowser(service, freshEmail())
      .login()
      .then(({ status }) => {
        answered = true
        return status
      })
    await gate.reached
    await service.client.call('GET', '/health/live')
    const early = answered
    gate.release()
    expect([early, await login]).to.deep.equal([false, 401])
  })
})
