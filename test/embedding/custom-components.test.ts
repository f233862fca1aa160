import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { ANONYMOUS, OPERATOR, type ApiKeyIdentity, type Caller } from '../../src/domain/access/caller.js'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import {
  isRefusal,
  openKennel,
  type Authorized,
  type Kennel,
  type TypedPermissionRules,
} from '../../src/index.js'
import { countsOf, valueOf } from '../support/metric-samples.js'
import { suiteFolder } from '../support/temporary-folder.js'
import { presentedBy } from '../support/use-cases.js'
import { goodOptions, openWithLogin } from './opening.js'

const components = { invoices: ['read', 'apply', 'list', 'pay'] } as const
const PERMISSIONS: TypedPermissionRules<typeof components> = {
  roles: {
    everyone: { components: { invoices: ['read'] } },
    guest: { components: { invoices: ['apply'] } },
    user: { components: { invoices: ['list'], pets: ['read'] } },
    clerk: { components: { invoices: ['*'] } },
    cli: { components: { pets: ['*'] } },
  },
}

function programWith(...keys: string[]): ApiKeyIdentity {
  const roles = keys.map((key) => ({ uuid: key, key, label: key }))
  return { kind: 'api-key', apiKeyId: 1, roles } as unknown as ApiKeyIdentity
}

describe('the option `components` of openKennel', () => {
  const folder = suiteFolder()
  let kennel: Kennel<typeof components>
  before(async () => {
    kennel = await openKennel({ ...goodOptions(), permissions: PERMISSIONS, components })
  })
  after(() => kennel.close())

  const judged = (caller: Caller, component: string, action: string) => {
    try {
      const proof = (kennel as Kennel).authorize(caller, component as 'pets', action as 'read') as Authorized
      return [proof.component, proof.action]
    } catch (error) {
      if (!isRefusal(error)) throw error
      return [error.code, ...error.messages.map(({ field, message }) => `${field} ${message}`)]
    }
  }

  it('makes `authorize` check custom actions against the roles of the caller', () => {
    expect(judged(programWith('clerk'), 'invoices', 'pay')).to.deep.equal(['invoices', 'pay'])
    expect(judged(ANONYMOUS, 'invoices', 'pay')[0]).to.equal('unauthenticated')
    expect(judged(programWith(), 'invoices', 'pay')[0]).to.equal('forbidden')
    // `invoices` has no action `login`. A built-in component would return the same code.
    expect(judged(programWith('clerk'), 'invoices', 'login')[0]).to.equal('forbidden')
  })

  it('makes `authorize` reject unknown components and actions as malformed', () => {
    const [code, message] = judged(programWith('clerk'), 'invoice', 'pay')
    expect([code, message]).to.match(/^malformed,component must be one of auth, .*, store, invoices$/)
    expect(judged(programWith('clerk'), 'invoices', '*')[0]).to.equal('malformed')
  })

  it('is copied when the Kennel is opened', async () => {
    const mine = { invoices: ['read'] }
    const own = await openKennel({ ...goodOptions({ permissions: { roles: {} } }), components: mine })
    mine.invoices.push('pay')
    expect(() => own.authorize(OPERATOR, 'invoices', 'pay'))
      .to.throw()
      .with.property('code', 'malformed')
    await own.close()
  })

  it('also applies to a permission file', async () => {
    const permissionsFile = folder('permissions.json')
    writeFileSync(permissionsFile, JSON.stringify(PERMISSIONS))
    const own = await openKennel({ ...goodOptions({ permissionsFile }), components })
    expect(own.authorize(ANONYMOUS, 'invoices', 'apply').action).to.equal('apply')
    await own.close()
  })

  it('must contain every custom component that the permissions name', async () => {
    const error: unknown = await openKennel(
      goodOptions({ permissions: PERMISSIONS as object as TypedPermissionRules }),
    ).catch((one: unknown) => one)
    expect(error).to.have.property('errors').with.length(4)
  })
})

describe('openKennel with metrics', () => {
  it('counts logins, refreshes, sessions, hashes and store calls', async () => {
    const { metrics, exposition } = createPrometheusMetrics()
    const { kennel, issued } = await openWithLogin({ parts: { metrics } })
    const { refreshToken } = issued
    await kennel.logout(presentedBy(await kennel.refresh({ refreshToken, presented: presentedBy(issued) })))
    await kennel.close()
    const { text } = await exposition()
    expect(countsOf(text, 'kennel_logins_total')).to.deep.equal({ success: 1 })
    expect(countsOf(text, 'kennel_refreshes_total')).to.deep.equal({ rotated: 1 })
    expect(countsOf(text, 'kennel_sessions_opened_total')).to.deep.equal({ '': 1 })
    expect(countsOf(text, 'kennel_sessions_ended_total')).to.deep.equal({ ended: 1 })
    // Creating the account and logging in compute one hash each.
    expect(valueOf(text, 'kennel_password_hash_duration_seconds_count')).to.equal(2)
    const calls = countsOf(text, 'kennel_store_call_duration_seconds_count')
    expect(calls).to.include.keys('accounts ok', 'sessions ok', 'audit ok')
  })
})
