import { expect } from 'chai'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'

/** More accounts than the command reads in one page. */
const ACCOUNTS = 1_001
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const emailOf = (id: number) => `user-${id}@example.com`
const BY_EMAIL = upTo(ACCOUNTS).toSorted((one, other) => (emailOf(one) < emailOf(other) ? -1 : 1))

const LISTED: Readonly<Record<string, readonly number[]>> = {
  '': upTo(ACCOUNTS),
  '--limit 501': upTo(501),
  '--limit 2 --after 3 --newest-first': [2, 1],
  '--email user-99 --limit 501': BY_EMAIL.filter((id) => String(id).startsWith('99')),
  '--role editor --limit 2 --after user-70@example.com': [7],
  '--role editor --disabled --email user-70@': [70],
}

describe('app user list', () => {
  const place = workplaceOfTests({ shared: true })

  before(async () => {
    await place.onStore(async ({ accounts, roles }) => {
      for (const id of upTo(ACCOUNTS)) await accounts.insert({ email: emailOf(id) as Email, createdAt: 0 })
      for (const key of ['editor', 'none']) await roles.insert({ uuid: key, key: key as RoleKey, label: key })
      for (const id of [7, 70, 700]) {
        await roles.assign(emailOf(id) as Email, 'editor' as RoleKey)
        if (id > 7) await accounts.setDisabled(id as AccountId, 1)
      }
    })
  })

  for (const [options, ids] of Object.entries(LISTED))
    it(`${options || 'without options'}: lists ${ids.length} accounts in order`, async () => {
      const [code, rows] = await place.run(`user list ${options}`.trim())
      expect([code, (rows as { id: number }[]).map(({ id }) => id)]).to.deep.equal([0, ids])
    })

  for (const [options, code, type, field] of [
    [['--role', 'nobody'], 404, 'NotFound', 'role'],
    [['--disabled', '--after', '@'], 400, 'Format', 'after'],
  ] as const)
    it(`${options.join(' ')}: prints an error, and lists nothing`, async () => {
      const outcome = await place.app(['user', 'list', ...options])
      const { errors, save } = JSON.parse(outcome.stdout) as { errors: object[]; save: number }
      expect([outcome.code, save]).to.deep.equal([1, 0])
      expect(errors[0]).to.include({ code, type, field })
    })

  for (const options of [
    ...['--email=a --newest-first', '--role=editor --after=7', '--disabled=yes', '--limit=0', '--after=0'],
  ])
    it(`${options}: is rejected as a usage error`, async () => {
      await wrongUsageOf(place, `user list ${options}`)
    })
})
