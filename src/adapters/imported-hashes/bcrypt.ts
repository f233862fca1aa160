import { createHmac } from 'node:crypto'
import { inThread } from './hash-thread.js'
import { withinLimits, type ReadHash } from './imported-hash.js'

// The cost is 4 to 31. The last characters of salt and digest encode only 2 and 4 bits, so only some characters are canonical: bcrypt
// writes no others, and bcryptjs accepts no others.
const FORMAT =
  /^(?<setting>\$2[aby]?\$(?<cost>0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu])[./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/u

/** Maximum cost; a hash with a higher cost takes a second or longer. */
const COST_MAX = 14

/** bcrypt uses only the first 72 bytes of a password. */
const READ_BYTES = 72

/**
 * Reads a bcrypt hash with the prefix `$2$`, `$2a$`, `$2b$` or `$2y$`; each step of the cost doubles the time. Hashes with `$2x$` are not
 * supported, because they come from a faulty algorithm.
 */
export function readBcrypt(text: string): ReadHash {
  return readWith(text, text, (password) => password, READ_BYTES)
}

const WORDPRESS = '$wp'

/**
 * Reads a hash of WordPress 6.8 or newer: `$wp` and the bcrypt hash of an HMAC, so that every byte counts. WordPress trims a password before
 * it hashes or checks it.
 */
export function readWordPress(text: string): ReadHash {
  if (!text.startsWith(`${WORDPRESS}$2y$`)) return undefined
  const digested = (password: string) =>
    createHmac('sha384', 'wp-sha384').update(trimmed(password)).digest('base64')
  return readWith(text, text.slice(WORDPRESS.length), digested)
}

function readWith(
  text: string,
  bcrypt: string,
  prepared: (password: string) => string,
  readBytes?: number,
): ReadHash {
  const { setting, cost } = FORMAT.exec(bcrypt)?.groups ?? {}
  if (setting === undefined) return undefined
  return withinLimits(
    'bcrypt',
    { cost: [4, Number(cost), COST_MAX] },
    {
      text,
      expected: Buffer.from(bcrypt),
      derive: (password) => inThread({ kind: 'bcrypt', password: prepared(password), setting }),
      ...(readBytes !== undefined && { readBytes }),
    },
  )
}

/** The characters that PHP's `trim` removes. */
function trimmed(password: string): string {
  return password.replace(/^[ \t\n\r\v]+/u, '').replace(/(?<![ \t\n\r\v])[ \t\n\r\v]+$/u, '')
}
