import { expect } from 'chai'
import { PASSWORD } from '../../../bench/load/requests.js'
import { clientsOf, fillStore } from '../../../bench/store/stores.js'
import { accountOf, auditRecordMaker, emailOf, petOf, ROLE } from '../../../bench/store/population.js'
import { inWorkplace, type Workplace } from '../../../bench/workplace/workplace.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import { openKennel } from '../../../src/index.js'

const SIZE = { pets: 25, accounts: 3, sessions: 6, auditRecords: 5 }

describe('a SQLite file filled by a benchmark', () => {
  it('can be read by the real store, and supports sessions and logins', async () => {
    await inWorkplace(async (place) => {
      const filled = await fillStore(place, SIZE)
      const clients = await clientsOf(filled, 3, 1)
      await place.withStore(async (store) => {
        const { population } = filled
        const { roles: _, ...account } = accountOf(population, 2)
        const page = await store.pets.page(undefined, 100 as PageLimit)
        expect(page.pets).to.deep.equal(Array.from({ length: SIZE.pets }, (_, index) => petOf(index)))
        const found = await store.accounts.findByEmail(emailOf(2))
        expect(found).to.deep.include(account)
        expect(found?.roles.map(({ key }) => key)).to.deep.equal([ROLE])
        const records = Array.from({ length: SIZE.auditRecords }, (_, index) => index)
        expect(await store.audit.page({ limit: 100 })).to.deep.equal(
          records.map(auditRecordMaker(population)),
        )
        expect(await store.copyableRecords?.count('session')).to.equal(SIZE.sessions)
      })
      await useAll(place, clients)
    })
  })
})

async function useAll(place: Workplace, clients: Awaited<ReturnType<typeof clientsOf>>): Promise<void> {
  const kennel = await openKennel({
    store: place.env['DATABASE_URL'],
    passphrase: place.env['SECURITY_JWT_PASSPHRASE'],
    publicUrl: place.publicUrl,
    background: false,
  })
  try {
    for (const { cookie, accessToken } of clients) {
      const headers = { cookie, 'x-authorization': `Bearer ${accessToken}` }
      expect(await kennel.identify(headers))
        .to.have.property('email')
        .that.matches(/^user-1000000\d@/)
    }
    const { identity } = await kennel.login({ email: emailOf(1), password: PASSWORD, presented: {} })
    expect(identity).to.include({ accountId: 2, email: emailOf(1) })
  } finally {
    await kennel.close()
  }
}
