import { expect } from 'chai'
import type { Operation } from './concurrency/history.js'
import { accountSpecification } from './concurrency/objects/account.js'
import { idempotencySpecification } from './concurrency/objects/idempotency-key.js'
import { limitSpecification, partsOf } from './concurrency/objects/login-limit.js'
import { codeSpecification } from './concurrency/objects/one-time-code.js'
import { petSpecification } from './concurrency/objects/pet.js'
import { sessionSpecification } from './concurrency/objects/session.js'
import { findOrder } from './concurrency/search.js'
import type { Specification } from './concurrency/specification.js'

/** What came one after the other; of operations in one list all were under way at once. */
type Sequence<Input, Output> = readonly (readonly (readonly [Input, Output | undefined])[])[]

function historyOf<Input, Output>(sequence: Sequence<Input, Output>): readonly Operation<Input, Output>[] {
  return sequence.flatMap((together, turn) =>
    together.map(([input, output], client) => {
      const begun = { client, input, invoked: 100 * turn + client }
      return output === undefined ? begun : { ...begun, output, completed: 100 * turn + 50 + client }
    }),
  )
}

function isExplained<State, Input, Output>(
  specification: Specification<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): boolean {
  const { kind } = findOrder(history, specification, { steps: 10_000 })
  expect(kind).not.to.equal('given-up')
  return kind === 'linearizable'
}

describe('the specification of', () => {
  it('a session: one successor for a token, no successor after a logout', () => {
    const held = (generation: string) => ({ cookie: generation, token: generation })
    const refresh = { kind: 'refresh', ...held('g1') } as const
    const [second, third] = ['g2', 'g3'].map((next) => ({ status: 200, next })) as [object, object]
    const logout = { kind: 'logout', ...held('g1') } as const
    const ok = (sequence: Sequence<never, never>) => isExplained(sessionSpecification, historyOf(sequence))
    const told = (sequence: unknown) => ok(sequence as Sequence<never, never>)
    expect(
      told([
        [
          [refresh, second],
          [refresh, second],
        ],
      ]),
    ).to.equal(true)
    expect(
      told([
        [
          [refresh, second],
          [refresh, third],
        ],
      ]),
    ).to.equal(false)
    expect(told([[[refresh, undefined]], [[refresh, second]]])).to.equal(true)
    expect(
      told([
        [
          [logout, { status: 200 }],
          [refresh, second],
        ],
      ]),
    ).to.equal(true)
    expect(told([[[logout, { status: 200 }]], [[refresh, second]]])).to.equal(false)
    expect(told([[[logout, { status: 200 }]], [[refresh, { status: 401 }]]])).to.equal(true)
  })

  it('an account: a reset token is good once, and ends what began before it', () => {
    const issue = { kind: 'token is issued', token: 't1' } as const
    const reset = (next: string) => ({ kind: 'consume', token: 't1', next }) as const
    const login = { kind: 'login', password: 'w1' } as const
    const known = { kind: 'get-identity', session: 's1' } as const
    const begun = { status: 200, session: 's1' }
    const [yes, no, out] = [{ status: 200 }, { status: 400 }, { status: 401 }]
    const told = (
      sequence: Sequence<Parameters<typeof accountSpecification.after>[1], typeof begun | typeof yes>,
    ) => isExplained(accountSpecification, historyOf(sequence))
    expect(
      told([
        [[issue, yes]],
        [
          [reset('w2'), yes],
          [reset('w3'), no],
        ],
      ]),
    ).to.equal(true)
    expect(
      told([
        [[issue, yes]],
        [
          [reset('w2'), yes],
          [reset('w3'), yes],
        ],
      ]),
    ).to.equal(false)
    expect(
      told([
        [
          [issue, yes],
          [login, begun],
        ],
        [[reset('w2'), yes]],
        [[known, out]],
      ]),
    ).to.equal(true)
    expect(
      told([
        [
          [issue, yes],
          [login, begun],
        ],
        [[reset('w2'), yes]],
        [[known, yes]],
      ]),
    ).to.equal(false)
  })

  it('a pet: of two changes of one revision one is made', () => {
    const patch = { kind: 'patch', change: { age: 3 }, expected: 1 } as const
    const made = { status: 200, revision: 2, traits: 'age=3' }
    const told = (sequence: Sequence<typeof patch, { status: number }>) =>
      isExplained(petSpecification, historyOf(sequence))
    expect(
      told([
        [
          [patch, made],
          [patch, { status: 412 }],
        ],
      ]),
    ).to.equal(true)
    expect(
      told([
        [
          [patch, made],
          [patch, made],
        ],
      ]),
    ).to.equal(false)
    expect(told([[[patch, { status: 412 }]], [[patch, made]]])).to.equal(false)
  })

  it('idempotency keys: one pet for one key, also where the first reply was lost', () => {
    const create = (tag: string) => ({ kind: 'create', key: 'k1', tag }) as const
    const pet = (id: number) => ({ status: 201, id })
    const told = (sequence: Sequence<ReturnType<typeof create>, { status: number; id?: number }>) =>
      isExplained(idempotencySpecification, historyOf(sequence))
    expect(
      told([
        [[create('a'), undefined]],
        [
          [create('a'), pet(7)],
          [create('b'), { status: 422 }],
        ],
      ]),
    ).to.equal(true)
    expect(
      told([
        [
          [create('a'), pet(7)],
          [create('a'), pet(8)],
        ],
      ]),
    ).to.equal(false)
    expect(told([[[create('b'), { status: 422 }]], [[create('a'), pet(7)]]])).to.equal(false)
  })

  it('a limit: what is refused was refused while it was full', () => {
    const login = (isRight: boolean) => ({ kind: 'login', account: 'a1', network: 'n1', isRight }) as const
    const told = (sequence: Sequence<ReturnType<typeof login>, { status: number }>) =>
      isExplained(limitSpecification({ 'a1 from n1': 4 }), historyOf(sequence).flatMap(partsOf))
    const [right, wrong, refused] = [{ status: 200 }, { status: 401 }, { status: 429 }]
    expect(
      told([
        [
          [login(true), right],
          [login(true), refused],
        ],
        [[login(false), wrong]],
      ]),
    ).to.equal(true)
    expect(told([[[login(true), right]], [[login(true), refused]]])).to.equal(false)
    expect(told([[[login(false), wrong]], [[login(false), wrong]]])).to.equal(false)
  })

  it('a limit: an attempt that is refused by one name takes no place under another', () => {
    const login = (account: string) => ({ kind: 'login', account, network: 'n1', isRight: false }) as const
    type Told = Sequence<ReturnType<typeof login>, { status: number }>
    const [refused, wrong] = [{ status: 429 }, { status: 401 }]
    // One of a1 has the last place of the pair for a moment, and is refused by n1, whose last place a2 takes.
    const both: Told = [
      [
        [login('a1'), refused],
        [login('a1'), refused],
      ],
      [[login('a2'), wrong]],
    ]
    const none: Told = [[[login('a2'), wrong]], ...both.slice(0, 1)]
    const told = (sequence: Told) =>
      isExplained(limitSpecification({ 'a1 from n1': 4, n1: 24, 'a2 from n1': 0 }), historyOf(sequence))
    expect(told(both)).to.equal(false)
    expect(told(none)).to.equal(true)
  })

  it('codes: each is good once', () => {
    const code = { code: 'r1' }
    const [yes, no] = [{ status: 200 }, { status: 401 }]
    const told = (sequence: Sequence<typeof code, typeof yes>) =>
      isExplained(codeSpecification(['r1']), historyOf(sequence))
    expect(
      told([
        [
          [code, yes],
          [code, no],
        ],
      ]),
    ).to.equal(true)
    expect(
      told([
        [
          [code, yes],
          [code, yes],
        ],
      ]),
    ).to.equal(false)
    expect(told([[[code, no]], [[code, yes]]])).to.equal(false)
  })
})
