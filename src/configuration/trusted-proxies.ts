import { addressNetwork, type TrustProxy } from '../domain/identity/address-network.js'
import { breaks, listed, means, mistyped, type Reader, type Reading } from './reader.js'
import { integer } from './units.js'

const count = integer(0, 10)
const RULE = 'must be an integer from 0 to 10, or addresses and networks of proxies such as 10.0.0.0/8'

const list = listed((text) => networks(text.split(',')), networks)

/** A number, or a list of addresses and networks; in a text they are separated by commas. */
export const trustProxy: Reader<TrustProxy, number | readonly string[]> = {
  text: (text, rules) => {
    const counted = count.text(text, rules)
    return counted.ok ? counted : list.text(text, rules)
  },
  option: (value, rules) => {
    if (typeof value === 'number') {
      const counted = count.option(value, rules)
      return counted.ok ? counted : breaks(RULE)
    }
    return Array.isArray(value)
      ? list.option(value, rules)
      : mistyped('must be a number, or an array of addresses and networks')
  },
}

function networks(entries: readonly string[]): Reading<TrustProxy> {
  const trimmed = entries.map((one) => one.trim().toLowerCase())
  const at = trimmed.findIndex((one) => !addressNetwork(one))
  if (at < 0) return means(trimmed.length === 0 ? 0 : [...new Set(trimmed)])
  return breaks(
    trimmed.length === 1
      ? RULE
      : `entry ${at + 1} must be an address or a network of a proxy, such as 10.0.0.0/8`,
  )
}
