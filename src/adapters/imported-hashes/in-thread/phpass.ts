import { hash } from 'node:crypto'
import { encode64 } from './encode64.js'
import type { TaskOf } from './hash-task.js'

/** Computes the digest of phpass or Drupal: hashes salt and password, and in each round hashes the result with the password. */
export function phpass({ algorithm, password, salt, rounds, length }: TaskOf<'phpass'>): string {
  const text = Buffer.from(password)
  let digest = hash(algorithm, Buffer.concat([Buffer.from(salt), text]), 'buffer')
  for (let round = 0; round < rounds; round += 1)
    digest = hash(algorithm, Buffer.concat([digest, text]), 'buffer')
  return encode64(digest).slice(0, length)
}
