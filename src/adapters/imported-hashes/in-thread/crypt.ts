import { hash } from 'node:crypto'
import type { TaskOf } from './hash-task.js'

/** The 64 digits of `crypt`, from 0 to 63. */
export const DIGITS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Encodes bytes as `crypt` does: each group of three bytes begins with the digit for its lowest bits. */
function encode64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = bytes.subarray(at, at + 3)
    let value = three.reduceRight((sum, byte) => (sum << 8) | byte, 0)
    for (let digit = 0; digit <= three.length; digit += 1, value >>= 6) text += DIGITS.charAt(value & 63)
  }
  return text
}

/** Computes the digest of phpass or Drupal: hashes salt and password, and in each round hashes the result with the password. */
export function phpass({ algorithm, password, salt, rounds, length }: TaskOf<'phpass'>): string {
  const text = Buffer.from(password)
  let digest = hash(algorithm, Buffer.concat([Buffer.from(salt), text]), 'buffer')
  for (let round = 0; round < rounds; round += 1)
    digest = hash(algorithm, Buffer.concat([digest, text]), 'buffer')
  return encode64(digest).slice(0, length)
}

/**
 * Computes the digest of SHA-crypt (https://www.akkadia.org/drepper/SHA-crypt.txt). The comments in the function are the step numbers of
 * that document.
 */
export function shaCrypt({ algorithm, password, salt, rounds }: TaskOf<'sha-crypt'>): string {
  const digest = (parts: readonly Uint8Array[]) => hash(algorithm, Buffer.concat(parts), 'buffer')
  const [key, saltBytes] = [Buffer.from(password), Buffer.from(salt)]
  const alternate = digest([key, saltBytes, key]) // 4 to 8
  let current = digest([key, saltBytes, repeated(alternate, key.length), ...byBits(alternate, key)]) // 1 to 12
  const keyPart = repeated(digest(Array.from({ length: key.length }, () => key)), key.length) // 13 to 16
  const saltCopies = Array.from({ length: 16 + (current[0] ?? 0) }, () => saltBytes)
  const saltPart = repeated(digest(saltCopies), saltBytes.length) // 17 to 20
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1
    const middle = [...(round % 3 === 0 ? [] : [saltPart]), ...(round % 7 === 0 ? [] : [keyPart])]
    current = digest([isOdd ? keyPart : current, ...middle, isOdd ? current : keyPart]) // 21
  }
  return encode64(permuted(current, algorithm)) // 22
}

function repeated(bytes: Buffer, length: number): Buffer {
  return length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes)
}

/** Returns the alternate digest for each 1 bit of the key length, and the key for each 0 bit, beginning with the lowest bit. */
function byBits(alternate: Buffer, key: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let rest = key.length; rest > 0; rest >>= 1) parts.push(rest % 2 === 1 ? alternate : key)
  return parts
}

/**
 * Returns the bytes in encoding order: each group takes one byte from each third of the digest, and the next group begins with a different
 * third.
 */
function permuted(digest: Buffer, algorithm: TaskOf<'sha-crypt'>['algorithm']): Buffer {
  const third = Math.floor(digest.length / 3)
  const order: number[] = []
  let group: readonly [number, number, number] = [0, third, 2 * third]
  for (let at = 0; at < third; at += 1) {
    order.push(group[2], group[1], group[0])
    const [a, b, c] = group
    group = algorithm === 'sha256' ? [c + 1, a + 1, b + 1] : [b + 1, c + 1, a + 1]
  }
  for (let at = 3 * third; at < digest.length; at += 1) order.push(at)
  return Buffer.from(order.map((at) => digest[at] ?? 0))
}
