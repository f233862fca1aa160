import { isIPv6 } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  parseAddress,
  plainAddress,
  rateLimitKey as of,
  addressNetwork,
  isInNetworks as isParsedInNetworks,
  type AddressNetwork,
} from '../../../src/domain/identity/address.js'

describe('the rate-limit key of an address', () => {
  it('is the IPv4 address without a port, even for IPv4-mapped and NAT64 IPv6 addresses, in every notation', () => {
    const same = [
      ...['::ffff:c000:201', '::FFFF:C000:0201', '0:0:0:0:0:ffff:192.0.2.1'],
      ...['0000:0000:0000:0000:0000:ffff:c000:0201', '[::ffff:c000:201]:4711', '::ffff:c000:201%eth0'],
      ...['64:ff9b::c000:201', '64:FF9B::192.0.2.1', '0064:ff9b:0:0:0:0:c000:201', '192.0.2.1'],
      ...['::ffff:192.0.2.1', '::FFFF:192.0.2.1', '192.0.2.1:4711', '[::ffff:192.0.2.1]:80'],
    ]
    for (const ip of same) {
      expect(of(ip), ip).to.equal('192.0.2.1')
      expect(plainAddress(ip), ip).to.equal('192.0.2.1')
    }
  })

  it('is the IPv4 address that an IPv6 address contains, and otherwise the /64 network, in any notation', () => {
    for (const [ip, network] of [
      ['::ffff:0:1', '0.0.0.1'],
      ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
      ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
      ['2001:db8:0:1::%eth0', '2001:db8:0:1::/64'],
      ['[2001:db8:0:1::5]:4711', '2001:db8:0:1::/64'],
      ['::1', '0:0:0:0::/64'],
      ['2001:db8::', '2001:db8:0:0::/64'],
      ['1::2:3:4:5:6', '1:0:0:2::/64'],
      ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
      ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
      ['64:ff9b:1::c000:201', '64:ff9b:1:0::/64'],
      ['64:ff9b::1:c000:201', '64:ff9b:0:0::/64'],
      ['64:ff9c::c000:201', '64:ff9c:0:0::/64'],
      ['::fffe:c000:201', '0:0:0:0::/64'],
      ['::ffff:0:c000:201', '0:0:0:0::/64'],
      ['1::ffff:c000:201', '1:0:0:0::/64'],
    ] as const)
      expect(of(ip), ip).to.equal(network)
  })

  it('exists only for valid addresses', () => {
    const valid = '249.240.209.199 192.0.2.1 255.255.255.255 0.0.0.0 [::1]:80 2001:db8::1 1.2.3.4:65535'
    for (const one of valid.split(' ')) expect(of(one), one).to.be.a('string')
    const none = '256.1.1.1 1.2.3.4. 1.2.3.4.5 a1.2.3.4 1.2.3.4a 1.2.3. 01.2.3.4567 abc: 1.2.3.4:123456'
    for (const one of ['', ...none.split(' '), 'x[::1]:80', '[::1]:80x', '[::1]:', '1.2.3.4:', '::1]', '1:2'])
      expect(of(one), one).to.equal(undefined)
  })

  it('is written without a port or zone, in lower case, and as IPv4 if possible', () => {
    for (const [address, plain] of [
      ['[FE80::1%eth0]:4711', 'fe80::1'],
      ['FE80::1%ETH0%1', 'fe80::1'],
      ['192.168.178.200:80', '192.168.178.200'],
      ['::ffff:192.168.178.200', '192.168.178.200'],
      ['1::ffff:192.0.2.7', '1::ffff:192.0.2.7'],
      ['::ffff:192.0.2.7:1', '::ffff:192.0.2.7:1'],
      ['[]:80', ''],
    ] as const)
      expect(plainAddress(address), address).to.equal(plain)
  })
})

describe('an IPv6 address', () => {
  it('is parsed in every standard notation, and every other string is rejected', () => {
    const group = fc.oneof(
      fc.integer({ min: 0, max: 0x1_0010 }).map((number) => number.toString(16)),
      fc.constantFrom('', ...'0 00 0000 FFFF g 192.0.2.7 255.255.255.256 192.0.02.7 1.2.3'.split(' ')),
    )
    const texts = fc
      .array(group, { minLength: 1, maxLength: 9 })
      .map((groups) => `${groups.join(':')}${groups.length === 1 ? ':' : ''}`)
    const cases =
      ':: 1:: ::1 ::: 1:::2 1::2::3 :1:: 1::2: 1:2:3:4:5:6:7:: ::1:2:3:4:5:6:7 1:2:3:4::5:6:7:8 ::1]/[ 12345:: ' +
      '1:2:3:4:5:6:192.0.2.7 1:2:3:4:5:6:7:192.0.2.7 192.0.2.7:: ::192.0.2.7:1 ::ffff:1.2.3.04'
    const examples = [...cases.split(' '), '1:2:3:4:5:6:7:8 ', '1:2:3:4:5:6:7\t:8'].map(
      (text) => [text] as [string],
    )
    fc.assert(
      fc.property(texts, (text) => {
        const [expected, found] = [isIPv6(text), parseAddress(text)]
        expect(found !== undefined, text).to.equal(expected)
        if (!found?.groups) return
        const url = (address: string) => new URL(`http://[${address}]`).href
        expect(url(found.groups.join(':')), text).to.equal(url(text))
      }),
      { numRuns: 2_000, examples },
    )
  })
})

const isInNetworks = (text: string, networks: readonly AddressNetwork[]) => {
  const parsed = parseAddress(text)
  return parsed !== undefined && isParsedInNetworks(parsed, networks)
}

describe('an address network', () => {
  for (const [text, inside, outside] of [
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['11.0.0.0', '9.255.255.255', 'a00::']],
    ['192.0.2.7', ['192.0.2.7', '64:ff9b::c000:207'], ['192.0.2.6', 'c000:207::']],
    ['192.0.2.6/31', ['192.0.2.6', '192.0.2.7'], ['192.0.2.5', '192.0.2.8']],
    ['::ffff:10.0.0.0/104', ['10.2.3.4'], ['11.2.3.4']],
    ['2001:DB8::/32', ['2001:db8:1::1', '2001:0db8::'], ['2001:db9::', '32.1.13.184']],
    ['::1', ['::1', '0:0::1'], ['::2', '127.0.0.1', '::1%lo']],
    ['128.0.0.0/1', ['255.1.1.1'], ['127.1.1.1', 'unknown', '']],
  ] as const)
    it(`${text} contains ${inside.join(', ')} and not ${outside.join(' or ')}`, () => {
      const network = addressNetwork(text)
      if (!network) throw new Error(`${text} is not read`)
      for (const address of inside) expect(isInNetworks(address, [network]), address).to.equal(true)
      for (const address of outside) expect(isInNetworks(address, [network]), address).to.equal(false)
    })

  it('can be one of several networks; an address has to be in only one of them', () => {
    const networks = ['10.0.0.0/8', '192.0.2.0/24'].flatMap((text) => addressNetwork(text) ?? [])
    expect(['10.1.2.3', '192.0.2.1', '11.0.0.1'].map((text) => isInNetworks(text, networks))).to.deep.equal([
      ...[true, true, false],
    ])
  })

  for (const text of [
    ...[
      '',
      '10.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/08',
      '10.0.0.0/',
      '/8',
      '10.0.0/8',
      '/8/8',
    ],
    ...[
      '10.0.0.0/8.0',
      '[::1]:80',
      'fe80::1%eth0',
      '::ffff:10.0.0.0/96',
      ':::',
      'localhost',
      '1:'.repeat(9_000),
    ],
  ])
    it(`cannot be ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(addressNetwork(text)).to.equal(undefined)
    })
})
