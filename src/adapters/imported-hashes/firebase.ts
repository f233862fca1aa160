import { createCipheriv } from 'node:crypto'
import { decoded, decodedDigest, type ReadHash } from './imported-hash.js'
import { deriveScrypt, scryptHash } from './scrypt.js'

const SUPABASE =
  /^\$fbscrypt\$v=1,n=(?<ln>\d{1,2}),r=(?<r>\d{1,10}),p=(?<p>\d{1,10}),ss=(?<separator>[^,$]+),sk=(?<signerKey>[^,$]+)\$(?<salt>[^$]+)\$(?<digest>[^$]+)$/u
const ORY =
  /^\$firescrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,10}),p=(?<p>\d{1,10})\$(?<salt>[^$]+)\$(?<digest>[^$]+)\$(?<separator>[^$]+)\$(?<signerKey>[^$]+)$/u

/**
 * Reads a Firebase hash with the parameters of its project, in the format of Supabase (`$fbscrypt$v=1,n=14,r=8,p=1,ss=…,sk=…$salt$digest`)
 * or Ory (`$firescrypt$ln=14,r=8,p=1$salt$digest$separator$key`). `n` is the memory cost, `r` the rounds, `ss` the salt separator and `sk`
 * the signer key. The digest is the signer key, encrypted with a key that scrypt derives from the password.
 */
export function readFirebase(text: string): ReadHash {
  const { ln, r, p, salt, separator, signerKey, digest } =
    (SUPABASE.exec(text) ?? ORY.exec(text))?.groups ?? {}
  const [saltBytes, separatorBytes, key] = [salt, separator, signerKey].map(decoded)
  const expected = decodedDigest(digest)
  if (!saltBytes || !separatorBytes || key?.length !== expected?.length || !key || !expected) return undefined
  const parameters = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const fullSalt = Buffer.concat([saltBytes, separatorBytes])
  const derive = async (password: string) =>
    encrypted(key, await deriveScrypt(password, fullSalt, 32, parameters))
  return scryptHash(parameters, { text, expected, derive })
}

/** Encrypts with AES-256 in counter mode, with a counter that begins at zero. */
function encrypted(bytes: Buffer, key: Buffer): Buffer {
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes)
}
