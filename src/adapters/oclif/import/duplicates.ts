import { createHash } from 'node:crypto'

/** Returns the number that was passed when this email was first added. If the email is new, adds it and returns `undefined`. */
export type FindDuplicate = (email: string, number: number) => number | undefined

/** Number of 32-bit words per entry: three words of the email's hash, and a number that is never 0. */
const WORDS = 4

/**
 * Finds emails that occur twice. Uses 32 to 64 bytes of memory per email: a hash table with linear probing, at most half full, contains 96
 * bits of the SHA-256 digest of each email.
 */
export function createDuplicateFinder(initialSlots = 1024): FindDuplicate {
  let table = new Uint32Array(initialSlots * WORDS)
  let count = 0

  /** Returns the position of the entry with this hash, or of the free slot in which to store it. */
  function positionOf(words: Uint32Array): number {
    const slots = table.length / WORDS
    for (let slot = (words[0] as number) % slots; ; slot = (slot + 1) % slots) {
      const at = slot * WORDS
      const isSame = words[0] === table[at] && words[1] === table[at + 1] && words[2] === table[at + 2]
      if (isSame || table[at + 3] === 0) return at
    }
  }

  function grow(): void {
    const former = table
    table = new Uint32Array(former.length * 2)
    for (let at = 0; at < former.length; at += WORDS) {
      const entry = former.subarray(at, at + WORDS)
      if (entry[3] !== 0) table.set(entry, positionOf(entry))
    }
  }

  return (email, number) => {
    if (count * 2 * WORDS >= table.length) grow()
    const digest = createHash('sha256').update(email).digest()
    const words = Uint32Array.of(
      digest.readUInt32LE(0),
      digest.readUInt32LE(4),
      digest.readUInt32LE(8),
      number,
    )
    const at = positionOf(words)
    if (table[at + 3] !== 0) return table[at + 3]
    table.set(words, at)
    count += 1
    return undefined
  }
}
