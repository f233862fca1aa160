import { hash } from 'node:crypto'
import { encode64 } from './encode64.js'
import type { TaskOf } from './hash-task.js'

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

/** Repeats the bytes until the result has this length. */
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
