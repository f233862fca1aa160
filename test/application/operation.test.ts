import { expect } from 'chai'
import { ANONYMOUS, OPERATOR } from '../../src/domain/access/caller.js'
import { isRefusal } from '../../src/domain/refusal.js'
import { copyStore } from '../../src/application/copy-store.js'
import { fields, text } from '../../src/application/fields.js'
import { operation } from '../../src/application/operation.js'
import { OPERATIONS } from '../../src/application/operations.js'
import { purgeStore } from '../../src/application/purge-store.js'
import { authorizeByDefault as authorize } from '../support/proofs.js'
import { refusalOf } from '../support/refusal-of.js'

const declared = { permission: ['role', 'list'], input: fields({ key: text }), parts: ['greeting'] } as const

describe('an operation', () => {
  const greet = operation({
    ...declared,
    run:
      ({ greeting }: { greeting: string }) =>
      async ({ caller, key }) =>
        [greeting, caller.kind, key].join(' '),
  })

  it('gets its parts, its input and its caller', async () => {
    const made = greet.factory({ greeting: 'hello', authorize })
    expect(await made({ caller: OPERATOR, key: 'admin' })).to.equal('hello cli admin')
    expect(greet.parts).to.deep.equal(['greeting', 'authorize'])
  })

  it('rejects a caller without the permission and does not run', async () => {
    let runs = 0
    const counted = operation({ ...declared, parts: [], run: () => async () => void (runs += 1) })
    const made = counted.factory({ authorize })
    expect((await refusalOf(made({ caller: ANONYMOUS, key: 'admin' }))).code).to.equal('unauthenticated')
    expect(runs).to.equal(0)
  })

  it('throws the refusal if it answers immediately', () => {
    const sync = operation({
      ...declared,
      parts: [],
      atOnce: true,
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

  it('reaches no part for a caller without the permission', async () => {
    let calls = 0
    const part: unknown = new Proxy(() => (calls += 1), { get: () => part })
    // Retries of calls to a slow store wrap the parts when an operation is made.
    const parts = new Proxy(
      { authorize },
      { get: (own, name): unknown => Reflect.get(own, name) ?? (name === 'retrying' ? undefined : part) },
    )
    const rows = Object.entries({ ...OPERATIONS, purgeStore, copyStore })
    expect(rows).to.have.lengthOf.above(30)
    for (const [name, { factory }] of rows) {
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
