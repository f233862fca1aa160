import { expect } from 'chai'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type ApiDocument } from '../../support/http/reply-check.js'
import { sharedService } from '../../support/http/service.js'

describe('/openapi.json', () => {
  const service = sharedService()
  let document: ApiDocument
  before(async () => {
    document = (await service.client.call('GET', '/openapi.json')).json as ApiDocument
  })

  it('accepts the same request bodies as the service', async () => {
    const headers = { 'X-API-Key': await service.apiKey() }
    await service.client.call('POST', '/v1/pets', { headers, json: { name: 'Rex' } })
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'api')
    const drafts = [
      ...[{ name: 'x', tag: 't', category: 'One' }, {}, { name: 7 }, { name: 'x', id: 1 }, { name: ' \t' }],
      ...[
        { name: 'n'.repeat(201) },
        { name: 'R\u0085x' },
        { name: 'x', tag: '' },
        { name: 'x', category: 'Four' },
      ],
    ]
    const changes = [
      ...[{ hunts: true, age: 200 }, { bark: true, breed: 'x' }, {}, { age: 1, bark: true }, { age: 1.5 }],
      ...[{ age: 201 }, { age: null }, { breed: '' }, { breed: 'x\u007f' }, { color: 'x' }],
    ]
    for (const [method, path, schema, bodies] of [
      ['POST', '/v1/pets', 'PetDraft', drafts],
      ['PATCH', '/v1/pets/1', 'PetChange', changes],
    ] as const) {
      const isValid = ajv.compile({ $ref: `api#/components/schemas/${schema}` })
      for (const json of bodies) {
        const { status } = await service.client.call(method, path, { headers, json })
        const expected = isValid(json) ? [200, 201] : [400]
        expect(status, `${schema} ${JSON.stringify(json)}`).to.be.oneOf(expected)
      }
    }
  })
})
