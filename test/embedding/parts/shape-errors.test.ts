import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { openKennel } from '../../../src/index.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import type { Store } from '../../../src/ports/store.js'
import { goodOptions } from '../opening.js'
import { PASSWORD } from '../valid-inputs.js'

const caller = OPERATOR
const email = 'rex@pets.example'
const scrypt = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 2 })

describe('custom parts that are instances of classes', () => {
  it('are called with their own `this`', async () => {
    class Hasher implements PasswordHasher {
      readonly #inner = scrypt
      async hash(...args: Parameters<PasswordHasher['hash']>) {
        return await this.#inner.hash(...args)
      }
      async verify(...args: Parameters<PasswordHasher['verify']>) {
        return await this.#inner.verify(...args)
      }
      isOutdated(...args: Parameters<PasswordHasher['isOutdated']>) {
        return this.#inner.isOutdated(...args)
      }
      recognise(text: string) {
        return this.#inner.recognise(text)
      }
    }
    const inner = createMemoryStore()
    // Every port is a getter of the prototype, as in a class that creates ports on demand.
    const ports = Object.keys(inner).map((name) => [name, { get: (): unknown => Reflect.get(inner, name) }])
    const store = Object.create(
      Object.create(null, Object.fromEntries(ports) as PropertyDescriptorMap) as object,
    ) as Store
    const kennel = await openKennel(goodOptions({ store, parts: { hasher: new Hasher() } }))
    await kennel.createUser({ caller, email, password: PASSWORD })
    const issued = await kennel.login({ email, password: PASSWORD, presented: {} })
    expect(issued.identity.email).to.equal(email)
    await kennel.close()
  })
})
