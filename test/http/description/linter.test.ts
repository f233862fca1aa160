import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect } from 'chai'
import { rotating } from '../../support/rotation.js'
import { CONFIGURATIONS, described } from './configurations.js'

/** Rules beyond the linter's "recommended-strict" set. */
const FURTHER = {
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-required-schema-properties-undefined': 'error',
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'spec-strict-refs': 'error',
} as const

async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: FURTHER })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
  })
  return problems.map(({ ruleId, message, location }) => {
    return `${ruleId}: ${message} at ${location.map(({ pointer }) => String(pointer)).join()}`
  })
}

describe('the API description in third-party tools', () => {
  for (const [name, settings] of rotating(Object.entries(CONFIGURATIONS), 4)) {
    it(`passes a linter without errors and warnings: ${name}`, async () => {
      expect(await problemsOf(described(settings))).to.deep.equal([])
    })
  }

  it('fails the linter if an example is wrong, a tag has no description or a security scheme is unknown', async () => {
    const document = described()
    const pets = document.paths['/v1/pets']?.['get']
    if (!pets) throw new Error('there are no pets')
    pets.security.push({ Nothing: [] })
    pets.responses['400'] = {
      ...pets.responses['400'],
      content: { 'application/json': { schema: { type: 'string' }, example: 7 } },
    } as never
    document.tags = document.tags.map(({ name }) => ({ name }) as never)
    const rules = (await problemsOf(document)).map((problem) => problem.split(':')[0])
    expect(new Set(rules)).to.deep.equal(
      new Set(['security-defined', 'no-invalid-media-type-examples', 'tag-description']),
    )
  })
})
