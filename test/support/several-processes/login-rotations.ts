import { expect } from 'chai'
import type { Store } from '../../../src/ports/store.js'
import { startProcess } from './other-process.js'
import { account, login, loginRotation, NOON } from './samples.js'
import type { AccountId } from '../../../src/domain/identity/account.js'

const ROUNDS = 50
const FIRST = 1 as AccountId

type Answer = readonly [kind: string, pairId: string]

/**
 * Two other processes concurrently refresh one stateless login, 16 wide each: the first and the second refresh have one
 * successor each; then a replayed token is detected once.
 */
export async function expectLoginRotations(store: Store, path: string): Promise<void> {
  await store.accounts.insert(account('user@example.org'))
  const others = [await startProcess('rotateLogin', path), await startProcess('rotateLogin', path)]
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `login ${round}`
    const refresh = async (from: string, grace: number, late: number) => {
      const message = JSON.stringify({ name, from, grace, late })
      return (
        await Promise.all(others.map((one, index) => one.ask(`${index} ${message}`)))
      ).flat() as Answer[]
    }
    const second = soleSuccessor(await refresh('first', 10_000, 0))
    const third = soleSuccessor(await refresh(second, 10_000, 0))
    expect(await store.revocations.isRevoked(login(name, FIRST), NOON)).to.equal(false)
    const strict = round % 2 === 0
    const answers = strict ? await refresh(third, 0, 0) : await refresh(second, 10_000, 10_000)
    const kinds = answers.map(([kind]) => kind).sort()
    const revoked = Array.from({ length: strict ? 30 : 31 }, () => 'revoked')
    expect(kinds).to.deep.equal(['replayed', ...revoked, ...(strict ? ['rotated'] : [])])
    expect(await store.revocations.isRevoked(login(name, FIRST), NOON)).to.equal(true)
  }
  expect((await store.revocations.rotate(loginRotation('another login'))).kind).to.equal('rotated')
  await Promise.all(others.map((one) => one.end()))
}

/** Expects that one request has rotated the login, and all others got its successor. */
function soleSuccessor(answers: readonly Answer[]): string {
  const kinds = answers.map(([kind]) => kind).sort()
  expect(kinds).to.deep.equal(['rotated', ...Array.from({ length: 31 }, () => 'superseded')])
  const successors = [...new Set(answers.map(([, pairId]) => pairId))]
  expect(successors).to.have.length(1)
  return successors[0] ?? ''
}
