import { expect } from 'chai'
import { OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import type { AuditEvent } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf } from '../../support/refusal-of.js'
import { storedHash } from '../../support/stored-hash.js'
import { START, startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf, type Entry } from './audit-reading.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const PASSWORD = 'another good password'
const HASH = storedHash(PASSWORD, { logN: 10, r: 1, p: 1 })
const ADA = 'ada@example.com'
const UNKNOWN = 'nobody@example.com'
const HOSTILE = `"'{{7*7}}<b>; DROP TABLE audit --`
const UNPRINTABLE = ['two\nlines', '\u001B[31mred', 'nul\u0000', '\u009B31m', 'e'.repeat(10_000)]

/** What an operator did; `what` follows the account where there is one. */
function done(event: AuditEvent, id?: number, what?: string): Entry {
  const subject = [id === undefined ? [] : [`account:${id}`], what ?? []].flat().join(' ')
  return {
    at: START,
    event,
    actor: 'cli:tester',
    ...(subject && { subject }),
    outcome: 'success',
    accounts: id === undefined ? [] : [id as AccountId],
  }
}

/** What is done to one account, in an order in which each can be done. */
function tasksOn(email: string, { useCases }: TestService, caller: Caller = OPERATOR) {
  return [
    ['user.disable', undefined, () => useCases.disableUser({ caller, email })],
    ['user.enable', undefined, () => useCases.enableUser({ caller, email })],
    ['password.set', undefined, () => useCases.setPassword({ caller, email, password: PASSWORD })],
    ['role.assign', 'role:editor', () => useCases.assignRole({ caller, email, role: 'editor' })],
    [
      'role.remove',
      'role:editor',
      () => useCases.assignRole({ caller, email, role: 'editor', remove: true }),
    ],
    ['session.revoke', undefined, () => useCases.revokeSessions({ caller, email })],
    ['user.delete', undefined, () => useCases.deleteUser({ caller, email })],
  ] as const
}

for (const { name, open } of STORES) {
  describe(`the audit log on the ${name} store, of operators,`, () => {
    let opened: OpenedStore
    let service: TestService
    let newEntries: () => Promise<readonly Entry[]>
    let ada: number
    beforeEach(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
      ada = await service.account(ADA)
      await service.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'Editor' })
      newEntries = newEntriesOf(opened.store)
    })
    afterEach(async () => {
      await service.close()
      await opened.remove()
    })

    const assign = (role: string) => service.useCases.assignRole({ caller: OPERATOR, email: ADA, role })
    const importing = (caller: Caller = OPERATOR) => service.useCases.importUsers({ caller })
    const createKey = (keyName: string, caller: Caller = OPERATOR) =>
      service.useCases.createApiKey({ caller, name: keyName, roles: [] })
    const revokeKey = (id: string, caller: Caller = OPERATOR) => service.useCases.revokeApiKey({ caller, id })

    it('has a new account, and nothing of a new role', async () => {
      expect(await newEntries()).to.deep.equal([done('user.create', ada)])
    })

    it('has each thing that is done to an account, once', async () => {
      await newEntries()
      for (const [event, what, run] of tasksOn(ADA, service)) {
        await run()
        expect(await newEntries()).to.deep.equal([done(event, ada, what)])
      }
    })

    it('has nothing of what is refused because there is no such account', async () => {
      await newEntries()
      for (const [, , run] of tasksOn(UNKNOWN, service)) {
        expect((await refusalOf(run())).code).to.equal('not-found')
      }
      expect(await newEntries()).to.deep.equal([])
    })

    it('has nothing of what is refused for want of a permission', async () => {
      await newEntries()
      for (const [caller, code] of OUTSIDERS) {
        const tasks = [
          ...tasksOn(ADA, service, caller).map(([, , run]) => run),
          () => service.useCases.createUser({ caller, email: UNKNOWN, password: PASSWORD }),
          () => service.useCases.setAllPasswords({ caller, password: () => PASSWORD }),
          async () => await importing(caller)({ email: UNKNOWN }),
          () => createKey('Shop', caller),
          () => revokeKey('1', caller),
        ]
        for (const run of tasks) expect((await refusalOf(run())).code).to.equal(code)
      }
      expect(await newEntries()).to.deep.equal([])
    })

    it('has nothing of what was not saved', async () => {
      await newEntries()
      const { useCases } = service
      const create = (email: string, password: string) =>
        useCases.createUser({ caller: OPERATOR, email, password })
      const remove = { caller: OPERATOR, email: ADA, role: 'editor', remove: true }
      const codes = [
        await refusalOf(create(ADA, PASSWORD)),
        await refusalOf(create('no email', PASSWORD)),
        await refusalOf(create(UNKNOWN, 'short')),
        await refusalOf(useCases.setPassword({ caller: OPERATOR, email: ADA, password: 'short' })),
        await refusalOf(useCases.assignRole(remove)),
        await refusalOf(assign('unknown')),
        await refusalOf(revokeKey('99')),
        await refusalOf(revokeKey('one')),
      ].map(({ code }) => code)
      expect(codes).to.deep.equal([
        ...['conflict', 'invalid', 'invalid', 'invalid'],
        ...['not-found', 'not-found', 'not-found', 'invalid'],
      ])
      expect(await newEntries()).to.deep.equal([])
    })

    it('has a role that was there already only once', async () => {
      await newEntries()
      for (let times = 0; times < 3; times += 1) await assign('editor')
      expect(await newEntries()).to.deep.equal([done('role.assign', ada, 'role:editor')])
    })

    it('has every account whose password was set with all the others', async () => {
      const bob = await service.account('bob@example.com')
      await newEntries()
      await service.useCases.setAllPasswords({ caller: OPERATOR, password: () => PASSWORD })
      expect(await newEntries()).to.deep.equal([done('password.set', ada), done('password.set', bob)])
    })

    it('has an import of many accounts once', async () => {
      await newEntries()
      const importUser = importing()
      const many = Array.from({ length: 40 }, (_, n) => ({
        email: `many${n}@example.com`,
        passwordHash: HASH,
      }))
      const results = await Promise.all(many.map(importUser))
      expect(new Set(results)).to.deep.equal(new Set(['saved']))
      expect(await newEntries()).to.deep.equal([done('user.import')])
    })

    it('has two imports twice, and none where nothing was saved', async () => {
      await newEntries()
      const importUser = importing()
      expect(await importUser({ email: ADA })).to.equal('unchanged')
      await refusalOf(importUser({ email: 'no email' }))
      await refusalOf(importUser({ email: UNKNOWN, passwordHash: 'plain' }))
      await refusalOf(importUser({ email: UNKNOWN, roles: ['unknown'] }))
      expect(await newEntries()).to.deep.equal([])
      for (const email of ['bob@example.com', 'eve@example.com']) await importing()({ email })
      expect(await newEntries()).to.deep.equal([done('user.import'), done('user.import')])
    })

    it('has an API key by its id, when it is made and when it is revoked', async () => {
      await newEntries()
      const { id } = await createKey('Shop front')
      await revokeKey(String(id))
      expect(await newEntries()).to.deep.equal([
        done('apikey.create', undefined, `apikey:${id}`),
        done('apikey.revoke', undefined, `apikey:${id}`),
      ])
    })

    it('has nothing of names and labels, whatever stands in them', async () => {
      const { id } = await createKey(HOSTILE)
      await service.useCases.createRole({ caller: OPERATOR, key: 'odd', label: HOSTILE })
      await newEntries()
      const made = await createKey(HOSTILE)
      await revokeKey(String(id))
      await assign('odd')
      expect(await newEntries()).to.deep.equal([
        done('apikey.create', undefined, `apikey:${made.id}`),
        done('apikey.revoke', undefined, `apikey:${id}`),
        done('role.assign', ada, 'role:odd'),
      ])
    })

    it('has nothing of text that no terminal should see', async () => {
      await newEntries()
      for (const text of UNPRINTABLE) {
        expect((await refusalOf(createKey(text))).code).to.equal('invalid')
        expect((await refusalOf(assign(text))).code).to.equal('invalid')
        expect((await refusalOf(revokeKey(text))).code).to.equal('invalid')
      }
      expect(await newEntries()).to.deep.equal([])
    })
  })
}
