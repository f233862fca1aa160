import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { servicesOfTests, PASSWORD } from '../support/http/service.js'
import { watching } from '../support/watched-store.js'
import { closedIn, EMAIL, expectNothingFound, OPEN, fuzz } from './schemathesis.js'

const PETS = /^\/v1\//

describeWith('schemathesis', 'a fuzzer that has read the description of the catalogue', () => {
  const serve = servicesOfTests()

  /** Calls the service with the credentials of each kind of client. */
  const CASES: readonly (readonly [presented: string, call: () => Promise<void>])[] = [
    ...(['any', 'all'] as const).map(
      (petSecurity) =>
        [
          `${petSecurity} of the credentials`,
          async () => {
            const service = await serve({ petSecurity, permissions: OPEN })
            await service.account(EMAIL)
            const credentials = {
              ApiKeyAuth: { api_key: await service.apiKey() },
              ...(petSecurity === 'all' && { BasicAuth: { username: EMAIL, password: PASSWORD } }),
            }
            const outcome = await fuzz({ origin: service.origin, examples: 25, credentials, paths: PETS })
            expectNothingFound(outcome, 200)
            // Most deletions name unknown pets or have made-up headers, so deletions prove nothing.
            expect(closedIn(outcome).filter((one) => !one.startsWith('DELETE'))).to.deep.equal([])
          },
        ] as const,
    ),
    [
      'no credentials',
      async () => {
        const service = await serve()
        const outcome = await fuzz({ origin: service.origin, examples: 10, paths: PETS })
        expectNothingFound(outcome, 100)
      },
    ],
  ]
  for (const [presented, call] of rotating(CASES, 2)) it(`triggers no internal error with ${presented}`, call)

  it('detects an internal error that is planted in the store', async () => {
    const aroundStore = watching(async (name, run) => {
      if (name === 'pets.page') throw new Error('broken on purpose')
      return await run()
    })
    const service = await serve({ aroundStore })
    const credentials = { ApiKeyAuth: { api_key: await service.apiKey() } }
    const outcome = await fuzz({ origin: service.origin, examples: 2, credentials, paths: /^\/v1\/pets$/ })
    expect(outcome.status).to.equal(1)
    expect(outcome.report).to.include('Server error')
  })
})
