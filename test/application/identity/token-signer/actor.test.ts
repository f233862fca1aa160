import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import {
  actOf,
  actorOf,
  claimsOf,
  detailOf,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  STATELESS,
  withPayload,
  without,
  type Mode,
} from '../../../support/tokens/token-bench.js'

/** The title, the value of `act`, and the only detail that the log gets. */
type Attack = readonly [title: string, act: unknown, detail: string]

const NO_OBJECT = '"act" is not an object'
const NO_ID = '"act" is not an account id'
const NO_ADDRESS = '"act" has no address'
const ONE_TOO_MANY = 'the actor has an unknown member'

/** The value as JSON, for a title. */
const named = (member: string, value: unknown) => `${member} ${JSON.stringify(value)}`

function attacks(mode: Mode): Attack[] {
  const act = actOf(mode)
  const wrong = (member: string, values: readonly unknown[], detail: string): Attack[] =>
    values.map((value) => [named(member, value), { ...act, [member]: value }, detail])
  return [
    ...[null, [], [act], 'act', '', 7, true, false].map((value): Attack => [
      named('act', value),
      value,
      NO_OBJECT,
    ]),
    ['nothing in it', {}, 'the actor lacks "sub"'],
    ...Object.keys(act).map((name): Attack => [
      `no ${name}`,
      without(act, name),
      `the actor lacks "${name}"`,
    ]),
    ['an actor of the actor (RFC 8693 has such)', { ...act, act: actOf(mode) }, ONE_TOO_MANY],
    ['a role', { ...act, roles: [] }, ONE_TOO_MANY],
    ['another member that is null', { ...act, iss: null }, ONE_TOO_MANY],
    ...wrong('sub', [7, 0, null, true, ['7'], {}], NO_ID),
    ...wrong('sub', ['0', '01', '-1', '+7', '7.0', '1e1', ' 7', '', '0x7', '٧', '9007199254740992'], NO_ID),
    ...wrong('email', ['', 7, null, true, ['boss@kennel.example'], {}], NO_ADDRESS),
    ...(mode === STATELESS ? ofLogin() : withLogin()),
  ]

  function ofLogin(): Attack[] {
    const values = [0, -1, 1.5, '5', '', null, true, 2 ** 53, 1e308, [5], {}]
    return [
      ...wrong('epoch', values, '"act" has no epoch'),
      ...wrong('session_exp', values, '"act" has no end'),
      ['the actor of stored sessions', actOf(STATEFUL), 'the actor lacks "epoch"'],
    ]
  }

  function withLogin(): Attack[] {
    return [
      ['an epoch', { ...act, epoch: 5 }, ONE_TOO_MANY],
      ['an end', { ...act, session_exp: 1_900_000_000 }, ONE_TOO_MANY],
      ['the actor of stateless mode', actOf(STATELESS), ONE_TOO_MANY],
    ]
  }
}

for (const { bench, mode, title } of WORKPLACES) {
  describe(`${title}, and the actor in a token`, () => {
    let signer: TokenSigner
    beforeEach(async () => {
      signer = await openSigner(bench, { mode })
    })

    for (const kind of ['access', 'refresh'] as const) {
      const claims = { ...claimsOf(kind, mode), actor: actorOf(mode) }
      const payload = { ...payloadOf(bench, kind, mode), act: actOf(mode) }
      const expected = bench.forge(bench.label(kind, bench.key.kid), payload, bench.key)

      it(`writes it behind all other claims of the ${kind} token, in one order`, async () => {
        expect(await signer.sign(claims, bench.key.kid)).to.equal(expected)
      })

      it(`reads it from the ${kind} token`, async () => {
        const verification = await signer.verify(kind, expected, NOW)
        expect(verification).to.deep.equal({ kind: 'valid', claims })
      })

      it(`reads the same from the ${kind} token that it signed and remembers`, async () => {
        await signer.sign(claims, bench.key.kid)
        const verification = await signer.verify(kind, expected, NOW)
        expect(verification).to.deep.equal({ kind: 'valid', claims })
      })
    }

    it('gives no actor for a token without an actor', async () => {
      const verification = await signer.verify('access', withPayload(bench, mode), NOW)
      expect(verification).to.have.property('claims').that.does.not.have.property('actor')
    })

    it('returns a frozen actor', async () => {
      const token = withPayload(bench, mode, { act: actOf(mode) })
      const verification = await signer.verify('access', token, NOW)
      if (verification.kind !== 'valid') throw new Error(verification.kind)
      const { actor } = verification.claims
      expect([actor, ...(actor?.login ? [actor.login] : [])]).to.satisfy((all: object[]) =>
        all.every((one) => Object.isFrozen(one)),
      )
    })

    for (const [wrong, act, detail] of attacks(mode)) {
      it(`refuses: ${wrong}`, async () => {
        const token = withPayload(bench, mode, { act })
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
    }

    it('accepts the members in any order, like the other claims', async () => {
      const act = Object.fromEntries(Object.entries(actOf(mode)).reverse())
      const { iss, ...others } = payloadOf(bench, 'access', mode)
      const payload = { act, ...others, iss }
      const token = bench.forge(bench.label('access', bench.key.kid), payload, bench.key)
      const claims = { ...claimsOf('access', mode), actor: actorOf(mode) }
      expect(await signer.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims })
    })

    it('refuses a duplicate member, with the same or another value', async () => {
      const text = JSON.stringify({ ...payloadOf(bench, 'access', mode), act: actOf(mode) })
      const label = bench.label('access', bench.key.kid)
      for (const twice of [
        text.replace('"sub":"7"', '"sub":"1","sub":"7"'),
        text.replace('"sub":"7"', '"sub":"7","sub":"7"'),
        text.replace('"act":', '"act":{},"act":'),
      ]) {
        const token = bench.forge(label, twice, bench.key)
        const verification = await signer.verify('access', token, NOW)
        expect(detailOf(verification)).to.equal('the payload is not canonical JSON')
      }
    })

    it('takes the largest account id', async () => {
      const token = withPayload(bench, mode, { act: { ...actOf(mode), sub: '9007199254740991' } })
      const verification = await signer.verify('access', token, NOW)
      expect(verification).to.have.nested.property('claims.actor.accountId', Number.MAX_SAFE_INTEGER)
    })

    it('refuses the tokens of the other mode', async () => {
      const other = MODES.find((one) => one !== mode)!
      const token = withPayload(bench, other, { act: actOf(other) })
      const expected = mode === STATEFUL ? 'the payload has an unknown member' : 'the payload lacks "email"'
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal(expected)
    })

    it('rejects a token that it has signed if the actor is not an account', async () => {
      const actor = { ...actorOf(mode), accountId: 0 as AccountId }
      const token = await signer.sign({ ...claimsOf('access', mode), actor }, bench.key.kid)
      expect(detailOf(await signer.verify('access', token ?? '', NOW))).to.equal(NO_ID)
    })
  })
}
