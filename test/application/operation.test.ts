import { expect } from 'chai'
import { ANONYMOUS, OPERATOR } from '../../src/domain/access/caller.js'
import { isRefusal } from '../../src/domain/refusal.js'
import { copyStore } from '../../src/application/copy-store.js'
import { fields, text } from '../../src/application/fields.js'
import { operation } from '../../src/application/operation.js'
import { OPERATIONS } from '../../src/application/operations.js'
import { purgeStore } from '../../src/application/purge-expired.js'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import { expectApproved } from '../support/approved.js'
import { authorizeByDefault as authorize } from '../support/permissions.js'

/** `test/http/interface.txt` lists the permissions of the operations that a route calls. */
const ROUTED = ENDPOINTS.map(({ operation }) => operation)
const ALL = { ...OPERATIONS, purgeStore, copyStore }

describe('an operation', () => {
  it('throws the refusal synchronously if the operation is synchronous', () => {
    const sync = operation({
      permission: ['role', 'list'],
      input: fields({ key: text }),
      parts: [],
      synchronous: true,
      run:
        () =>
        ({ key }) =>
          key,
    })
    const made = sync.factory({ authorize })
    expect(made({ caller: OPERATOR, key: 'admin' })).to.equal('admin')
    expect(() => made({ caller: ANONYMOUS, key: 'admin' }))
      .to.throw()
      .that.satisfies(isRefusal)
  })

  it('requires the approved permission', () => {
    const lines = Object.entries(ALL)
      .filter(([name]) => !ROUTED.some((routed) => routed === name))
      .map(([name, { permission }]) => `${permission.join(': ')} ${name}`)
    expectApproved('test/application/permissions.txt', lines.sort())
  })

  it('uses no part if the caller lacks the permission', async () => {
    let calls = 0
    const part: unknown = new Proxy(() => (calls += 1), { get: () => part })
    // `retrying` is left out, because it would call parts while the operation is being created.
    const parts = new Proxy(
      { authorize },
      { get: (own, name): unknown => Reflect.get(own, name) ?? (name === 'retrying' ? undefined : part) },
    )
    for (const [name, { factory }] of Object.entries(ALL)) {
      const made = factory(parts as never) as (input: unknown) => unknown
      const outcome = await Promise.resolve({
        caller: { ...ANONYMOUS },
        email: 'a@example.com',
        id: 1,
        ids: [1],
      })
        .then(made)
        .catch((error: unknown) => error)
      expect(isRefusal(outcome) && outcome.code, name).to.equal('unauthenticated')
    }
    expect(calls).to.equal(0)
  })
})
