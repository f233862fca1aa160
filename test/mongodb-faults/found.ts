import { expect } from 'chai'
import { PAGE_LIMIT_MAX, type PageLimit } from '../../src/domain/page-limit.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { Store } from '../../src/ports/store.js'
import { openAt } from '../support/open-at.js'
import { sessionIdOf } from '../support/http/browser.js'
import type { LoadReport } from './load.js'

/**
 * Compares the acknowledged writes with the content of the store: every pet by ID and name, pets with idempotency keys exactly once, and
 * every session at the generation that its client received last.
 */
export async function expectNothingLost(url: string, report: LoadReport): Promise<void> {
  const store = await openAt(url, { timeout: 30_000 })
  try {
    const pets = await allPets(store)
    const lost = [...report.pets].filter(([id, name]) => pets.get(id) !== name)
    expect(lost, 'acknowledged pets that are missing').to.deep.equal([])
    const keyed = [...pets.values()].filter((name) => name.startsWith('keyed')).sort()
    expect(keyed, 'pets with an idempotency key').to.deep.equal([...report.keyed].sort())
    for (const { browser, acknowledged } of report.refreshers) {
      const id = sessionIdOf(browser.held().accessToken)
      const active = await store.sessions.findById(id, Date.now())
      expect(active?.session.current.number, 'generations of a session').to.equal(1 + acknowledged)
    }
  } finally {
    await store.close()
  }
}

export async function allPets(store: Store): Promise<Map<number, string>> {
  const pets = new Map<number, string>()
  let after: PetId | undefined
  do {
    const page = await store.pets.page(after, PAGE_LIMIT_MAX as PageLimit)
    for (const { id, name } of page.pets) pets.set(id, name)
    after = page.next
  } while (after !== undefined)
  return pets
}
