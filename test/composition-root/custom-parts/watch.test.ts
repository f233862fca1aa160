import { inspect } from 'node:util'
import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { PartError, watchedParts, watchedStore } from '../../../src/composition-root/custom-parts/watch.js'
import type { Calls, Outcome } from '../../../src/ports/calls/call.js'
import { PART_CALLS } from '../../../src/ports/calls/parts.js'
import * as is from '../../../src/ports/calls/shapes.js'
import { STORE_CALLS } from '../../../src/ports/calls/store.js'
import { SILENT_LOG } from '../../../src/ports/log.js'

const NOW = 1_000
const account = { id: 1, email: 'rex@pets.example', epoch: 2, roles: [] }
const current = { number: 3, keyDigest: 'key', idleEndsAt: NOW + 1 }
const previous = { keyDigest: 'old key', until: NOW + 1 }
const session = { id: 'one', accountId: 1, epoch: 2, endsAt: NOW + 1, current, previous }
const active = { session, account }
/** Can be awaited, but throws if any other member is read. */
const hostile = new Proxy(
  {},
  {
    get(_, name) {
      if (name !== 'then') throw new Error('was read')
    },
  },
)

type Row = readonly [answer: unknown, member?: string, problem?: string | undefined]
type Answers = {
  readonly args?: readonly unknown[]
  readonly kept: readonly unknown[]
  readonly broken: readonly Row[]
}

const NOT_ID = 'is not a positive integer'
const NOT_COUNT = 'is not a non-negative integer'
const TRUTHS: Answers = { kept: [true, false], broken: [[1], ['true'], [null]] }

/** Correct and wrong values of simple shapes; `undefined` is always wrong. */
const SIMPLE: ReadonlyMap<unknown, Answers> = new Map([
  [is.count, { kept: [0, 7], broken: [[-1, '', NOT_COUNT], [0.5], ['1'], [Number.NaN]] }],
  [is.positive, { kept: [1], broken: [[0, '', NOT_ID], [1.5], ['1']] }],
  [is.text, { kept: ['a text', ''], broken: [[7, '', 'is not a string'], [null]] }],
  [is.filled, { kept: ['a text'], broken: [['', '', 'is not a non-empty string'], [Buffer.from('text')]] }],
  [is.truth, TRUTHS],
  [is.array, { kept: [[], [1]], broken: [[null], [{ length: 0 }], ['']] }],
])

/** Correct and wrong results for outcomes whose shape is simple, or that are objects with members of simple shapes. */
function commonAnswers({ law, required, words, kinds }: Outcome): Answers | undefined {
  if (words) return { kept: words, broken: [[undefined], ['other'], [true], [{}]] }
  if (kinds)
    return {
      kept: kinds.map((kind) => ({ kind })),
      broken: [[undefined], [null], [hostile], [{}, 'kind'], [{ kind: 'other' }, 'kind'], [kinds[0], 'kind']],
    }
  const found = typeof required === 'function' ? SIMPLE.get(required) : objectAnswers(required)
  if (!found) return undefined
  const { kept, broken } = found
  return law.endsWith(', or undefined')
    ? { kept: [undefined, ...kept], broken }
    : { kept, broken: [...broken, [undefined]] }
}

/** Wrong results have one wrong or missing member each. */
function objectAnswers(members: is.Members): Answers | undefined {
  const simple = Object.entries(members).map(([name, shape]) => [name, SIMPLE.get(shape)] as const)
  const valid = Object.fromEntries(simple.map(([name, answers]) => [name, answers?.kept[0]]))
  const broken = simple.flatMap(([name, answers]): readonly Row[] => [
    [{ ...valid, [name]: undefined }, name],
    ...(answers?.broken ?? []).map(([value, , problem]): Row => [{ ...valid, [name]: value }, name, problem]),
  ])
  const isKnown = simple.every(([, answers]) => answers)
  return isKnown ? { kept: [valid], broken: [...broken, [null], [hostile]] } : undefined
}

const ACCOUNTS: readonly Row[] = [
  [{ ...account, id: '1' }, 'id', NOT_ID],
  [{ ...account, email: undefined }, 'email', 'is not a string'],
  [{ ...account, epoch: 1.5 }, 'epoch', NOT_ID],
  [{ ...account, roles: 'editor' }, 'roles', 'is not an array'],
]
const OTHER = 'is not the requested value'
const ENDED = 'is not after the requested time'
const FOUND_MANY: Answers = {
  args: [[1, 2, 3]],
  kept: [[], [{ id: 1 }, { id: 3 }]],
  broken: [
    [{}],
    [[null]],
    ...[[2, 1], [1, 1], [4], ['1']].map((ids): Row => [
      ids.map((id) => ({ id })),
      'id',
      'was not requested, or is not in ascending order',
    ]),
  ],
}
const PROJECT: Answers = {
  args: [1, 7],
  kept: [undefined, { id: 1, createdBy: 7 }],
  broken: [
    [{ id: 2, createdBy: 7 }, 'id', OTHER],
    [{ id: 1, createdBy: 8 }, 'createdBy', OTHER],
  ],
}
const foundBy = (member: string, ...args: readonly unknown[]): Answers => ({
  args,
  kept: [undefined, { [member]: 'a' }],
  broken: [[{ [member]: 'b' }, member, OTHER]],
})
const ACTIVE: readonly Row[] = [
  [{ session }, 'account', 'is not an object'],
  [{ session: { ...session, current: null }, account }, 'session.current', 'is not an object'],
  [{ session, account: { ...account, epoch: '2' } }, 'account.epoch', NOT_ID],
  [{ session, account: { ...account, epoch: 9 } }, 'account.epoch', 'differs from the session'],
  [{ session, account: { ...account, id: 9 } }, 'account.id', 'differs from the session'],
  [{ session, account: { ...account, disabledAt: 1 } }, 'account.disabledAt', 'is present'],
  [{ session: { ...session, endsAt: NOW }, account }, 'session.endsAt', ENDED],
  [
    { session: { ...session, current: { ...current, idleEndsAt: NOW } }, account },
    'session.current.idleEndsAt',
    ENDED,
  ],
  [
    { ...active, actorRoles: [] },
    'actorRoles',
    'is missing although there is an actor, or present although there is no actor',
  ],
  [{ session: { ...session, actor: { accountId: 2 } }, account }, 'actorRoles'],
]
const pairs = { current: { pairId: 'pair', kid: 'kid', issuedAt: 1 } }

/** Correct and wrong results of calls with a special outcome type. */
const OF_STORE: Readonly<Record<string, Answers>> = {
  'accounts.findByEmail': {
    args: [account.email],
    kept: [undefined, account],
    broken: [...ACCOUNTS, [{ ...account, email: 'mia@pets.example' }, 'email', OTHER]],
  },
  'accounts.find': {
    args: [1],
    kept: [undefined, account],
    broken: [...ACCOUNTS, [{ ...account, id: 2 }, 'id', OTHER]],
  },
  'proofs.resetPassword': { kept: ['spent', 1], broken: [[0], ['1'], [1.5]] },
  'sessions.find': {
    args: ['key', NOW],
    kept: [undefined, active, { session: { ...session, actor: { accountId: 2 } }, account, actorRoles: [] }],
    broken: [
      ...ACTIVE,
      [
        { session: { ...session, current: { ...current, keyDigest: 'other' } }, account },
        'session',
        'is not found by this key',
      ],
    ],
  },
  'sessions.findById': {
    args: ['one', NOW],
    kept: [undefined, active],
    broken: [...ACTIVE, [{ session: { ...session, id: 'two' }, account }, 'session.id', OTHER]],
  },
  'sessions.rotate': {
    args: [{ sessionId: 'one' }],
    kept: [
      ...['rotated', 'superseded'].map((kind) => ({ kind, session })),
      ...['replayed', 'mismatched', 'unknown'].map((kind) => ({ kind })),
    ],
    broken: [
      [
        { kind: 'moved', session },
        'kind',
        'is not rotated or superseded or replayed or mismatched or unknown',
      ],
      [{ kind: 'rotated' }, 'session', 'is not an object'],
      [{ kind: 'superseded', session: {} }, 'session.current', 'is not an object'],
      [{ kind: 'rotated', session: { ...session, id: 'two' } }, 'session.id', OTHER],
    ],
  },
  'pets.find': foundBy('id', 'a'),
  'accounts.findMany': FOUND_MANY,
  'pets.findMany': FOUND_MANY,
  'pets.page': {
    args: [undefined, 2],
    kept: [{ pets: [] }, { pets: [1, 2] }],
    broken: [
      [[], 'pets', 'is not an array'],
      [{ pets: [1, 2, 3] }, 'pets', 'has more records than the limit'],
    ],
  },
  'apiKeys.find': {
    args: ['digest', NOW],
    kept: [undefined, { id: 1, roles: [] }, { id: 1, roles: [], expiresAt: NOW + 1 }],
    broken: [
      [{ id: 1 }, 'roles'],
      [{ id: 1, roles: [], revokedAt: 0 }, 'revokedAt', 'is present'],
      [{ id: 1, roles: [], expiresAt: NOW }, 'expiresAt', ENDED],
    ],
  },
  'projects.find': PROJECT,
  'projects.page': {
    args: [1, undefined, 2],
    kept: [{ projects: [] }, { projects: [{ createdBy: 1 }, { createdBy: 1 }] }],
    broken: [
      [[], 'projects', 'is not an array'],
      [{ projects: [1, 2, 3] }, 'projects', 'has more records than the limit'],
      [{ projects: [{ createdBy: 2 }] }, 'projects', 'contains projects of another account'],
    ],
  },
  'projects.close': PROJECT,
  'revocations.rotate': {
    kept: [
      { kind: 'rotated', pairs },
      { kind: 'superseded', pairs },
      { kind: 'replayed' },
      { kind: 'revoked' },
    ],
    broken: [
      [{ kind: 'rotated' }, 'pairs', 'is not an object'],
      [{ kind: 'superseded', pairs: {} }, 'pairs.current', 'is not an object'],
      ...['pairId', 'kid', 'issuedAt'].map((name): Row => [
        { kind: 'rotated', pairs: { current: { ...pairs.current, [name]: undefined } } },
        `pairs.current.${name}`,
      ]),
    ],
  },
  'attempts.take': {
    kept: [
      { kind: 'taken', attempt: {} },
      { kind: 'refused', until: 4 },
    ],
    broken: [
      [{ kind: 'taken', attempt: null }, 'attempt'],
      [{ kind: 'refused' }, 'until', 'is not a number'],
    ],
  },
  'passkeys.find': {
    args: ['a'],
    kept: [undefined, { id: 'a', accountId: 1, publicKey: 'key' }],
    broken: [
      [{ id: 'b', accountId: 1, publicKey: 'key' }, 'id'],
      [{ id: 'a', accountId: 0, publicKey: 'key' }, 'accountId'],
      [{ id: 'a', accountId: 1 }, 'publicKey', 'is not a string'],
    ],
  },
  'proofs.find': foundBy('digest', { digest: 'a', at: NOW }),
  'proofs.attempt': foundBy('binding', 'a', NOW),
  'proofs.get': foundBy('id', 'a'),
  'proofs.renew': foundBy('id', { id: 'a' }),
}

const UUID = '01234567-89ab-cdef-0123-456789abcdef'
const DELIVERIES = ['sent', 'refused', 'deferred', 'unreachable']
const OF_PARTS: Readonly<Record<string, Answers>> = {
  'randomness.base64url': {
    args: [3],
    kept: ['aB-_'],
    broken: [['aB-'], ['aB-_c'], ['aB+/'], [1234]],
  },
  'randomness.uuid': { kept: [UUID], broken: [['1'], [`${UUID}0`]] },
  'hasher.verify': { args: ['password', 'hash'], ...TRUTHS },
  'hasher.isOutdated': { ...TRUTHS, broken: [...TRUTHS.broken, [Promise.resolve(true)]] },
  'hasher.recognise': {
    kept: [{ kind: 'unknown' }, { kind: 'hash', hash: 'x' }, { kind: 'too-costly', limit: 'y' }],
    broken: [
      [true, 'kind'],
      [{ kind: 'hash' }, 'hash'],
      [{ kind: 'too-costly', limit: '' }, 'limit'],
    ],
  },
  'passwordBlocklist.refuses': {
    kept: [undefined, 'too-common', 'too-close-to-context'],
    broken: [[true], ['breached']],
  },
  'previousAccounts.verify': {
    kept: [
      { kind: 'account', roles: ['editor'], totp: { secret: 'GEZDGNBV' } },
      { kind: 'account' },
      { kind: 'wrong' },
      { kind: 'unknown' },
    ],
    broken: [
      [true, 'kind'],
      [{ kind: 'account', roles: 'editor' }, 'roles'],
      [{ kind: 'account', roles: [1] }, 'roles', 'has a role that is not a string'],
      [{ kind: 'account', totp: { secret: '!' } }, 'totp', 'has no valid secret'],
    ],
  },
  'mailer.send': {
    kept: DELIVERIES.map((kind) => ({ kind })),
    broken: [['sent', 'kind']],
  },
}

type Ports = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>

/** Returns the result of the call, or the error that the call throws or rejects with. */
async function outcomeOf(ports: Ports, name: string, args: readonly unknown[]): Promise<unknown> {
  const [port = '', call = ''] = name.split('.')
  try {
    return await ports[port]?.[call]?.(...args)
  } catch (error) {
    return error
  }
}

function describeAnswers(
  table: Readonly<Record<string, Calls>>,
  own: Readonly<Record<string, Answers>>,
  watch: (ports: Ports) => Ports,
): void {
  const seen = Object.entries(table).flatMap(([port, calls]) =>
    Object.entries(calls).flatMap(([call, { outcome }]) =>
      outcome && call !== '' ? [{ name: `${port}.${call}`, port, call, outcome }] : [],
    ),
  )

  it('is checked for every call whose result has a rule', () => {
    const without = seen.filter(({ name, outcome }) => !own[name] && !commonAnswers(outcome))
    expect(without.map(({ name }) => name)).to.deep.equal([])
    const names = seen.map(({ name }) => name)
    expect(Object.keys(own).filter((name) => !names.includes(name))).to.deep.equal([])
  })

  for (const { name, port, call, outcome } of seen) {
    const { args = [], kept, broken } = own[name] ?? commonAnswers(outcome) ?? { kept: [], broken: [] }
    const answering = (answer: unknown) => watch({ [port]: { [call]: () => answer } })

    it(`${name}: passes valid values through, and names the invalid member of invalid values`, async () => {
      for (const answer of kept) expect(await outcomeOf(answering(answer), name, args)).to.equal(answer)
      for (const [index, [answer, member = '', problem]] of broken.entries()) {
        const error = await outcomeOf(answering(answer), name, args)
        expect(error, `answer ${index}`).to.be.instanceOf(PartError)
        const { message, law, member: named } = error as PartError
        expect(named, `answer ${index}`).to.equal(member)
        if (member === '')
          expect(message.endsWith(`breaks its contract: it must return ${law}`)).to.equal(true)
        else expect(message).to.contain(`it must return ${law}; "${member}" ${problem ?? 'is'}`)
      }
    })
  }
}

describe('the return value of a custom store', () => {
  const memory = createMemoryStore()
  const watch = (ports: Ports) => watchedStore({ ...memory, ...ports }, SILENT_LOG) as unknown as Ports
  describeAnswers(STORE_CALLS, OF_STORE, watch)

  it('may contain a session found by its previous key only within the grace window', async () => {
    const found = (until: number) => ({ session: { ...session, previous: { ...previous, until } }, account })
    const ask = async (until: number) =>
      await outcomeOf(watch({ sessions: { find: async () => found(until) } }), 'sessions.find', [
        'old key',
        NOW,
      ])
    expect(await ask(NOW + 1)).to.deep.equal(found(NOW + 1))
    expect(await ask(NOW))
      .to.be.instanceOf(PartError)
      .with.property('member', 'session')
  })
})

describe('the return value of a custom part other than the store', () => {
  const watch = (parts: Ports) => watchedParts(parts, SILENT_LOG)
  describeAnswers(PART_CALLS, OF_PARTS, watch)

  it('must not accept a missing password or a missing hash', async () => {
    for (const args of [
      [undefined, 'hash'],
      ['password', undefined],
    ]) {
      const outcome = await outcomeOf(watch({ hasher: { verify: async () => true } }), 'hasher.verify', args)
      expect(outcome).to.be.instanceOf(PartError)
    }
  })

  it('must be a number if the part is the clock', () => {
    const clockOf = (time: unknown) => watchedParts({ clock: () => time as number }, SILENT_LOG).clock
    expect(clockOf(5)()).to.equal(5)
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, '5', undefined, new Date(), Promise.resolve(0)])
      expect(() => clockOf(time)(), inspect(time)).to.throw(
        PartError,
        'Clock breaks its contract: it must return a number',
      )
  })
})

describe('custom parts whose return values are not checked', () => {
  it('stay unchanged', () => {
    const parts = { log: SILENT_LOG, metrics: {}, auditSinks: [{ append: async () => undefined }] }
    expect(Object.entries(watchedParts(parts, SILENT_LOG))).to.deep.equal(Object.entries(parts))
    expect(watchedParts(parts, SILENT_LOG).log).to.equal(SILENT_LOG)
  })
})
