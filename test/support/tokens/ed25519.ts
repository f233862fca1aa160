import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import type { ForgingKey } from './token-bench.js'

/** RFC 8410, 7: the bytes before the 32-byte key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The order of the group, RFC 8032, 5.1. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n

/** Returns the key whose 32 secret bytes all have this value, as PKCS #8. */
export function ed25519Key(kid: string, byte: number): ForgingKey {
  return { kid, secret: pkcs8(new Uint8Array(32).fill(byte)) }
}

export function pkcs8(seed: Uint8Array): Uint8Array {
  return Buffer.concat([PKCS8_HEAD, seed])
}

export function signEd25519(message: Uint8Array, secret: Uint8Array): Buffer {
  return sign(null, message, privateKey(secret))
}

export function publicKeyOf(secret: Uint8Array): KeyObject {
  return createPublicKey(privateKey(secret))
}

/**
 * The 64 bytes with a multiple of the group's order added to S: if a library does not check that S is less than the
 * order (RFC 8032, 5.1.7), they are a second signature of the same message.
 */
export function withOrderAdded(signature: Uint8Array, times: bigint): Buffer {
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + times * ORDER
  const raised = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), raised])
}

function privateKey(secret: Uint8Array): KeyObject {
  const known = privateKeys.get(secret)
  if (known) return known
  const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
  privateKeys.set(secret, key)
  return key
}

const privateKeys = new WeakMap<Uint8Array, KeyObject>()
