import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { BENCHES } from '../../../support/tokens/benches.js'
import {
  claimsOf,
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  STATELESS,
  withPayload,
  without,
} from '../../../support/tokens/token-bench.js'

/** The changed members, and the detail for the log. */
type Attack = readonly [change: Readonly<Record<string, unknown>>, detail: string]

const mode = STATELESS
const row = { uuid: 'u', key: 'admin', label: 'Administrator' }
const NO_ROW = '"roles" has an invalid row'

const attacks: readonly Attack[] = [
  ...[1, '', null, true, ['ada@kennel.example'], {}].map((email): Attack => [
    { email },
    '"email" is not an address',
  ]),
  ...['admin', null, 1, true, {}, row, { 0: row, length: 1 }].map((roles): Attack => [
    { roles },
    '"roles" is not a list',
  ]),
  ...[null, 'admin', 1, true, [], [row], ['u', 'admin', 'Administrator']].map((one): Attack => [
    { roles: [row, one] },
    NO_ROW,
  ]),
  ...['uuid', 'key', 'label'].map((name): Attack => [
    { roles: [without(row, name)] },
    `the role lacks "${name}"`,
  ]),
  ...['uuid', 'key', 'label'].flatMap((name) =>
    [1, null, true, ['a'], {}].map((value): Attack => [{ roles: [{ ...row, [name]: value }] }, NO_ROW]),
  ),
  [{ roles: [{ ...row, admin: true }] }, 'the role has an unknown member'],
  [{ roles: [{}] }, 'the role lacks "uuid"'],
  ...[0, -1, 1.5, '3', '', null, true, 2 ** 53, 1e308, [3], {}].flatMap((value): Attack[] => [
    [{ epoch: value }, '"epoch" is not a number'],
    [{ session_exp: value }, '"session_exp" is not a time'],
  ]),
  [{ session_exp: '2030-04-16T17:46:40Z' }, '"session_exp" is not a time'],
  [{ groups: [] }, 'the payload has an unknown member'],
]

for (const bench of BENCHES) {
  describe(`the login in a stateless ${bench.name} token`, () => {
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(bench, { mode })
    })

    for (const [change, detail] of attacks) {
      it(`is refused with ${JSON.stringify(change).slice(0, 70)}`, async () => {
        const verification = await signer.verify('access', withPayload(bench, mode, change), NOW)
        expect(detailOf(verification)).to.equal(detail)
      })
    }

    it('may be without a role', async () => {
      const verification = await signer.verify('access', withPayload(bench, mode, { roles: [] }), NOW)
      const { login } = claimsOf('access', mode)
      expect(verification)
        .to.have.nested.property('claims.login')
        .deep.equal({ ...login, roles: [] })
    })

    it('is in the refresh token as well', async () => {
      const label = bench.label('refresh', bench.key.kid)
      const payload = payloadOf(bench, 'refresh', mode)
      const whole = await signer.verify('refresh', bench.forge(label, payload, bench.key), NOW)
      expect(whole).to.deep.equal({ kind: 'valid', claims: claimsOf('refresh', mode) })
      const lacking = bench.forge(label, without(payload, 'epoch'), bench.key)
      expect(detailOf(await signer.verify('refresh', lacking, NOW))).to.equal('the payload lacks "epoch"')
    })

    it('is refused by a signer with stored sessions, even a single member of it', async () => {
      const stateful = await openSigner(bench, { mode: STATEFUL })
      for (const change of [
        { email: 'ada@kennel.example' },
        { roles: [row] },
        { epoch: 3 },
        { session_exp: 1 },
      ]) {
        const verification = await stateful.verify('access', withPayload(bench, STATEFUL, change), NOW)
        expect(detailOf(verification)).to.equal('the payload has an unknown member')
      }
    })
  })
}
