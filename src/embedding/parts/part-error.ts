/**
 * A part of the caller's own has not kept a law of its port, where that can be seen; what was asked
 * is not done. Known by its `code`, also where it comes from another copy of the package. It holds
 * nothing of what the part has answered.
 */
export class PartError extends Error {
  /** What to know it by. */
  readonly code = 'broken-part'
  /** Of `kennel-id/ports`, such as `PasswordHasher`. */
  readonly port: string
  /** The function of the port; empty where the port is one itself. */
  readonly call: string
  /** What the call must answer. */
  readonly law: string

  constructor(port: string, call: string, law: string) {
    super(`${call === '' ? port : `${port}.${call}`} breaks its law: it must answer ${law}`)
    this.name = 'PartError'
    this.port = port
    this.call = call
    this.law = law
  }
}
