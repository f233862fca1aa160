import { createHash } from 'node:crypto'
import type { Pet } from '../../../src/domain/catalogue/pet.js'
import type { ApiKey } from '../../../src/domain/access/api-key.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Session } from '../../../src/domain/identity/session.js'
import type { MailJob } from '../../../src/domain/mail.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { Project } from '../../../src/domain/project/project.js'
import type { Store } from '../../../src/ports/store.js'

const LIMIT = 100 as PageLimit

/** Reads all pages of a list. */
async function allOf<One>(page: (after: One | undefined) => Promise<readonly One[]>): Promise<One[]> {
  const all: One[] = []
  for (let part = await page(undefined); part.length > 0; part = await page(all.at(-1))) all.push(...part)
  return all
}

/**
 * What a store holds, as one text that another content does not have: as its ports tell it, in every store alike. Audit
 * records, counts of attempts and the last use of a key are not part of it: a refusal may be recorded.
 */
export async function contentOf(store: Store, at: number): Promise<string> {
  const { accounts, pets, roles, apiKeys, mailQueue } = store
  const owners = await allOf<Account>((after) => accounts.page(after?.id, LIMIT))
  const keys = await allOf<ApiKey>((after) => apiKeys.page(after?.id, LIMIT))
  const all = [
    owners,
    await Promise.all(owners.map((owner) => ownedBy(owner, store, at))),
    await allOf<Pet>(async (after) => (await pets.page(after?.id, LIMIT)).pets),
    await roles.list(),
    keys.map(({ id, name, roles: held, revokedAt }) => [id, name, held, revokedAt]),
    await allOf<MailJob>((after) => mailQueue.waiting(after?.id, at, LIMIT)),
  ]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

async function ownedBy({ id }: Account, store: Store, at: number): Promise<readonly unknown[]> {
  const { accounts, projects, sessions, secondFactors } = store
  return [
    await allOf<Session>((after) =>
      sessions.pageOf({ accountId: id, limit: LIMIT, at, ...(after && { after }) }),
    ),
    await allOf<Project>(async (after) => (await projects.page(id, after?.id, LIMIT)).projects),
    await secondFactors.find(id),
    await accounts.resetTokenEnds(id),
  ]
}
