import { expect } from 'chai'
import {
  addressNetwork,
  isInNetworks as isParsedInNetworks,
  type AddressNetwork,
} from '../../../src/domain/identity/address-network.js'
import { parseAddress } from '../../../src/domain/identity/rate-limit-key.js'

const isInNetworks = (text: string, networks: readonly AddressNetwork[]) => {
  const parsed = parseAddress(text)
  return parsed !== undefined && isParsedInNetworks(parsed, networks)
}

describe('an address network', () => {
  for (const [text, inside, outside] of [
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['11.0.0.0', '9.255.255.255', 'a00::']],
    ['10.9.8.7/8', ['10.1.1.1'], ['11.9.8.7']],
    ['192.0.2.7', ['192.0.2.7', '64:ff9b::c000:207'], ['192.0.2.6', 'c000:207::']],
    ['192.0.2.6/31', ['192.0.2.6', '192.0.2.7'], ['192.0.2.5', '192.0.2.8']],
    ['::ffff:10.0.0.0/104', ['10.2.3.4'], ['11.2.3.4']],
    ['2001:DB8::/32', ['2001:db8:1::1', '2001:0db8::'], ['2001:db9::', '32.1.13.184']],
    ['::1', ['::1', '0:0::1'], ['::2', '127.0.0.1', '::1%lo']],
    ['fe80::/10', ['fe80::1', 'febf::1'], ['fec0::']],
    ['128.0.0.0/1', ['255.1.1.1'], ['127.1.1.1', 'unknown', '']],
  ] as const)
    it(`${text} contains ${inside.join(', ')} and not ${outside.join(' or ')}`, () => {
      const network = addressNetwork(text)
      if (!network) throw new Error(`${text} is not read`)
      for (const address of inside) expect(isInNetworks(address, [network]), address).to.equal(true)
      for (const address of outside) expect(isInNetworks(address, [network]), address).to.equal(false)
    })

  it('is matched by an address in any of several networks', () => {
    const networks = ['10.0.0.0/8', '192.0.2.0/24'].flatMap((text) => addressNetwork(text) ?? [])
    expect(['10.1.2.3', '192.0.2.1', '11.0.0.1'].map((text) => isInNetworks(text, networks))).to.deep.equal([
      ...[true, true, false],
    ])
  })

  for (const text of [
    ...['', ' ', '10.0.0.0/0', '::/0', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/', '/8', '10.0.0/8'],
    ...[
      ...['10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/8.0', '192.0.2.7:80', '[::1]', '[::1]:80', 'fe80::1%eth0'],
      '::ffff:10.0.0.0/96',
    ],
    ...[
      ...['256.0.0.1', ':::', '1::2::3', 'loopback', 'localhost', '10.0.0.0 /8', '10.0.0.1,10.0.0.2'],
      '1:'.repeat(9_000),
    ],
  ])
    it(`rejects ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(addressNetwork(text)).to.equal(undefined)
    })
})
