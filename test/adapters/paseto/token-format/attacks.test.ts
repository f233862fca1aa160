import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { withOrderAdded } from '../../../support/tokens/ed25519.js'
import {
  detailOf,
  ISSUED,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  withPayload,
  type Mode,
} from '../../../support/tokens/token-bench.js'
import { forgePaseto, pasetoBench, REFUSED, REFUSED_CLAIM } from '../../../support/tokens/forged-paseto.js'

/** Title, token, and the logged detail. */
type Attack = readonly [title: string, token: string, detail: string]

const NO_PASETO = 'the token is not a PASETO'
const { key } = pasetoBench
const footer = pasetoBench.label('access', key.kid)

function footers(mode: Mode): Attack[] {
  const payload = payloadOf(pasetoBench, 'access', mode)
  const good = withPayload(pasetoBench, mode)
  const [body, foot = ''] = good.split('.').slice(2)
  return [
    ['no footer, and none signed', forgePaseto({ payload, key }), 'the footer is not JSON'],
    ['no footer, though one is signed', `v4.public.${body}`, 'the footer is not JSON'],
    ['an empty footer', `v4.public.${body}.`, NO_PASETO],
    [
      'another order in the footer, unsigned',
      replaceFooter(good, { kid: key.kid, typ: 'at+paseto' }),
      REFUSED,
    ],
    [
      'the footer of another kind, unsigned',
      replaceFooter(good, { ...footer, typ: 'rt+paseto' }),
      'unexpected token type',
    ],
    [
      'the footer of another key of the ring, unsigned',
      replaceFooter(good, { ...footer, kid: 'kid-old' }),
      REFUSED,
    ],
    ['padding in the footer', `v4.public.${body}.${foot}=`, NO_PASETO],
    ['an implicit assertion', forgePaseto({ payload, footer, key, implicit: 'kennel' }), REFUSED],
  ]
}

function headers(mode: Mode): Attack[] {
  const payload = payloadOf(pasetoBench, 'access', mode)
  const rest = withPayload(pasetoBench, mode).slice('v4.public.'.length)
  const of = (header: string, detail: string): Attack[] => [
    [`${header} over a v4.public signature`, header + rest, detail],
    [`${header} in the signature too`, forgePaseto({ payload, footer, key, header }), detail],
  ]
  return [
    ...['v1.public.', 'v2.public.', 'v3.public.', 'v4.local.', 'v3.local.', 'v2.local.'].flatMap((header) =>
      of(header, NO_PASETO),
    ),
    [
      'v2.public., signed as version 2 signs',
      forgePaseto({ payload, footer, key, header: 'v2.public.', implicit: null }),
      NO_PASETO,
    ],
    [
      'v4.public. over what version 2 would sign',
      forgePaseto({ payload, footer, key, implicit: null }),
      REFUSED,
    ],
    ...[
      ...['V4.public.', 'v4.Public.', 'v5.public.', 'v0.public.', 'v04.public.', '4.public.', 'v4.secret.'],
      'v4..',
    ].flatMap((header) => of(header, NO_PASETO)),
  ]
}

function times(mode: Mode): Attack[] {
  const wrong = (detail: (name: string) => string, values: readonly unknown[]) =>
    ['iat', 'nbf', 'exp'].flatMap((name) =>
      values.map((value): Attack => [
        `${name} ${JSON.stringify(value)}`,
        withPayload(pasetoBench, mode, { [name]: value }),
        detail(name),
      ]),
    )
  // Times that RFC 3339 allows and that mean the same second, but in another form than ours.
  const otherwise = [
    ...['2030-03-17T17:46:40.000Z', '2030-03-17T17:46:40.0Z', '2030-03-17T17:46:40.000000Z'],
    ...['2030-03-17T17:46:40+00:00', '2030-03-17T17:46:40-00:00', '2030-03-17T18:46:40+01:00'],
    '2030-03-17T17:46:40.500Z',
  ]
  const noTimes = [
    ...[ISSUED, ISSUED * 1000, null, true, [], {}, '', String(ISSUED), '2030-03-17', '2030-03-17T17:46:40'],
    ...['2030-03-17 17:46:40Z', ' 2030-03-17T17:46:40Z', '2030-03-17T17:46:40Z ', '2030-3-17T17:46:40Z'],
    ...['2030-02-30T17:46:40Z', '2030-03-17T24:00:00Z', '2030-03-17T17:46:60Z', '+012030-03-17T17:46:40Z'],
    'Sun, 17 Mar 2030 17:46:40 GMT',
  ]
  return [...wrong((name) => `"${name}" is not a time`, otherwise), ...wrong(() => REFUSED_CLAIM, noTimes)]
}

function shapes(mode: Mode): Attack[] {
  const good = withPayload(pasetoBench, mode)
  const [body = '', foot = ''] = good.split('.').slice(2)
  const bytes = Buffer.from(body, 'base64url')
  const withBody = (changed: Uint8Array) => `v4.public.${Buffer.from(changed).toString('base64url')}.${foot}`
  return [
    ['two parts', 'v4.public', NO_PASETO],
    ['no body', `v4.public..${foot}`, NO_PASETO],
    ['five parts', `${good}.${foot}`, NO_PASETO],
    ['a signature with nothing before it', withBody(bytes.subarray(-64)), REFUSED],
    ['a byte less than a signature', withBody(bytes.subarray(-63)), REFUSED],
    ['no signature', withBody(bytes.subarray(0, -64)), REFUSED],
    ['a byte more of signature', withBody(Buffer.concat([bytes, Buffer.alloc(1)])), REFUSED],
    ['zeros as signature', withBody(Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64)])), REFUSED],
    ['padding in the body', `v4.public.${body}=.${foot}`, NO_PASETO],
    ['the other base64 alphabet', `v4.public.${body.slice(0, -1)}+.${foot}`, NO_PASETO],
  ]
}

function replaceFooter(token: string, instead: unknown): string {
  const body = token.slice(0, token.lastIndexOf('.'))
  return `${body}.${Buffer.from(JSON.stringify(instead)).toString('base64url')}`
}

// The laws of token formats show that a changed, cut, extended or recombined token is refused.
for (const mode of MODES) {
  describe(`the signer of v4.public tokens, ${mode.name}, when given PASETOs that the signer never issues`, () => {
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(pasetoBench, { mode })
    })

    for (const [title, token, detail] of [footers, headers, times, shapes].flatMap((kind) => kind(mode))) {
      it(`refuses: ${title}`, async () => {
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
    }

    it('rejects the malleated form of the signature, in which the group order is added to S', async () => {
      const good = withPayload(pasetoBench, mode).split('.')
      const bytes = Buffer.from(good[2]!, 'base64url')
      const raised = (times: bigint) => {
        const signature = withOrderAdded(bytes.subarray(-64), times)
        const body = Buffer.concat([bytes.subarray(0, -64), signature]).toString('base64url')
        return ['v4', 'public', body, good[3]].join('.')
      }
      expect((await signer.verify('access', raised(0n), NOW)).kind).to.equal('valid')
      for (const times of [1n, 2n, 7n]) {
        expect(detailOf(await signer.verify('access', raised(times), NOW))).to.equal(REFUSED)
      }
    })
  })
}
