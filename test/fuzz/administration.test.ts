import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { ACTIONS } from '../../src/domain/access/components.js'
import { servicesOfTests } from '../support/http/service.js'
import { createPostbox, ownTemplates } from '../support/mail/postbox.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { closedIn, EMAIL, expectNothingFound, OPEN, fuzz } from './schemathesis.js'

const PERMISSIONS = { roles: { ...OPEN.roles, root: { components: { ...ACTIONS } }, editor: {} } }
/** The fuzzer deletes accounts and keys that it finds; its own key is not on the first page. */
const ROWS = Array.from({ length: 30 }, (_, row) => row)

const ROUTES = {
  accounts: /^\/api\/admin\/users/,
  'everything else': /^\/api\/admin\/(?!users)/,
}

const settings = { administration: 'on', passkeyDomain: { rpId: 'localhost', relatedOrigins: [] } } as const

describeWith('schemathesis', 'a fuzzer that has read the description of administration', () => {
  const serve = servicesOfTests()

  for (const [subject, paths] of rotating(Object.entries(ROUTES), 1))
    it(`finds no violation of the description on the routes for ${subject}`, async () => {
      const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
      const service = await serve({ permissions: PERMISSIONS, mail, settings })
      await service.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'Editor' })
      for (const row of ROWS) await service.account(`${row}${EMAIL}`)
      for (const _ of ROWS) await service.apiKey()
      const credentials = { ApiKeyAuth: { api_key: await service.apiKey(['root']) } }
      const outcome = await fuzz({ origin: service.origin, examples: 8, credentials, paths })
      expectNothingFound(outcome, 200)
      expect(closedIn(outcome)).to.deep.equal([])
    })
})
