import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { CREATE_PROJECT, envelopeOf, newcomer, PROJECT, type Browser } from '../../support/http/browser.js'
import { again, FACTOR, guarded, viewOf } from '../../support/http/factor.js'
import { servicesOfTests } from '../../support/http/services.js'

const FACTOR_ROLES = new Set(['admin', 'project-editor'] as RoleKey[])
const ROLES = ['project-editor', 'editor']

describe('roles that require a second factor', () => {
  const serve = servicesOfTests()
  const rolesIn = (reply: Parameters<typeof envelopeOf>[0]) => Object.keys(envelopeOf(reply).view.roleList)

  /** Expects these roles and this status of a project request, before and after a refresh. */
  async function expectRoles(browser: Browser, roles: readonly string[], status: number): Promise<void> {
    for (const reply of [await browser.getIdentity(), await browser.refresh(), await browser.getIdentity()]) {
      expect(rolesIn(reply)).to.deep.equal(roles)
      expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(status)
    }
  }

  it('do not apply in a session without the second factor, but other roles do', async () => {
    const browser = await newcomer(await serve({ factorRoles: FACTOR_ROLES }), ROLES)
    expect(rolesIn(await browser.login())).to.deep.equal(['editor'])
    await expectRoles(browser, ['editor'], 403)
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.have.property('required', true)
  })

  it('apply in sessions in which the factor was confirmed or the user logged in with a code', async () => {
    const service = await serve({ factorRoles: FACTOR_ROLES })
    const account = await guarded(service, ROLES)
    for (const browser of [account, await again(service, account, 1)])
      await expectRoles(browser, ['editor', 'project-editor'], 201)
  })
})
