export type Argon2Variant = 'argon2id' | 'argon2i' | 'argon2d'

type Argon2Task = {
  readonly kind: 'argon2'
  readonly variant: Argon2Variant
  readonly password: string
  readonly salt: Uint8Array
  /** In KiB. */
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly length: number
}
type BcryptTask = { readonly kind: 'bcrypt'; readonly password: string; readonly setting: string }
type ShaCryptTask = {
  readonly kind: 'sha-crypt'
  readonly algorithm: 'sha256' | 'sha512'
  readonly password: string
  readonly salt: string
  readonly rounds: number
}
type PhpassTask = {
  readonly kind: 'phpass'
  readonly algorithm: 'md5' | 'sha512'
  readonly password: string
  readonly salt: string
  readonly rounds: number
  /** The number of characters of the result. */
  readonly length: number
}

/** A hash computation for the worker thread. */
export type HashTask = Argon2Task | BcryptTask | ShaCryptTask | PhpassTask
export type TaskOf<Kind extends HashTask['kind']> = Extract<HashTask, { readonly kind: Kind }>
