import { expect } from 'chai'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { startService, TOKEN_USE, type TestService } from '../../support/http/service.js'
import { STATELESS } from '../../support/use-cases.js'

type Schema = Record<string, unknown>
type Parameter = { in: string; name: string; required?: boolean; schema: Schema }
type Described = { description: string; content?: Record<string, { schema: Schema }>; headers?: object }
type CommandContext = {
  operationId: string
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Described>
}
type Document = {
  openapi: string
  info: { title: string; version: string; license: { name: string } }
  servers: { url: string }[]
  paths: Record<string, Record<string, CommandContext>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> }
}

const ROUTES = {
  '/v1/pets': ['get', 'post'],
  '/v1/pets/{petId}': ['get', 'patch', 'delete'],
  '/api/auth/login': ['post'],
  '/api/auth/get-identity': ['get'],
  '/api/auth/refresh': ['post'],
  '/api/auth/logout': ['post'],
  '/api/auth/reset-password': ['post'],
  '/api/auth/change-password': ['post'],
  '/api/auth/second-factor': ['get'],
  '/api/auth/second-factor/set-up': ['post'],
  '/api/auth/second-factor/confirm': ['post'],
  '/api/auth/second-factor/remove': ['post'],
  '/api/auth/second-factor/recovery-codes': ['post'],
  // In stateless mode there are no stored sessions to list or end.
  ...(!STATELESS && { '/api/auth/sessions': ['get'], '/api/auth/sessions/end': ['post'] }),
  '/api/auth/delete-account': ['post'],
  '/api/auth/login-as': ['post'],
  '/api/auth/logout-as': ['post'],
  '/api/project/create': ['post'],
  '/api/project': ['get'],
  '/api/project/{projectId}': ['get'],
  '/api/project/close': ['post'],
  '/health/live': ['get'],
  '/health/ready': ['get'],
  // This route exists only if the keys have a public part.
  ...(TOKEN_USE !== 'HS512' && { '/.well-known/jwks.json': ['get'] }),
  '/openapi.json': ['get'],
}

const COMMON = ['401', '405', '406', '408', '431', '500', '503']
/** Every status that an operation of the catalogue can answer, by the built-in permissions: only a removal is permitted to no role. */
const STATUSES: Record<string, string[]> = {
  listPets: ['200', '400', ...COMMON],
  createPet: ['201', '400', '413', '415', '422', ...COMMON],
  readPet: ['200', '304', '404', ...COMMON],
  patchPet: ['200', '400', '404', '412', '413', '415', ...COMMON],
  removePet: ['204', '403', '404', '412', ...COMMON],
}

describe('/openapi.json', () => {
  let service: TestService
  let document: Document
  before(async () => {
    service = await startService()
    document = (await service.client.call('GET', '/openapi.json')).json as Document
  })
  after(() => service.close())

  const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))
  const petOperations = () =>
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, path]) => Object.values(path))
  const resolve = (schema: Schema): Schema => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema['$ref']))?.[1]
    return name === undefined ? schema : (document.components.schemas[name] ?? {})
  }

  it('is OpenAPI 3.1, of version 1.0.0, under MIT, at the public address', () => {
    expect(document.openapi).to.match(/^3\.1\.\d+$/)
    expect(document.info.version).to.equal('1.0.0')
    expect(document.info.license.name).to.equal('MIT')
    expect(document.servers).to.deep.equal([{ url: service.origin }])
  })

  it('requires the same minimum lengths as a reset', () => {
    const { properties } = document.components.schemas['ResetPasswordRequest'] ?? {}
    for (const [name, minLength] of [
      ['email', 1],
      ['resetToken', 1],
      ['password', 8],
    ] as const)
      expect((properties as Record<string, Schema>)[name], name).to.include({ minLength })
  })

  it('has PetsIds, which reads several pets', () => {
    const { maxItems, type, items } = document.components.schemas['PetsIds'] ?? {}
    expect({ maxItems, type }).to.deep.equal({ maxItems: 100, type: 'array' })
    expect(items).to.include({ type: 'integer', format: 'int64' })
    const parameter = document.paths['/v1/pets']?.['get']?.parameters?.find(({ name }) => name === 'ids')
    expect(parameter).to.include({ in: 'query', style: 'form', explode: false })
    expect(parameter?.schema).to.include({ $ref: '#/components/schemas/PetsIds' })
  })

  it('names every route and no other', () => {
    const named = Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods)])
    expect(Object.fromEntries(named)).to.deep.equal(ROUTES)
  })

  it('names only existing routes', async () => {
    for (const [path, methods] of Object.entries(ROUTES)) {
      for (const method of methods) {
        const reply = await service.client.call(method.toUpperCase(), path.replace(/\{\w+\}/, '1'))
        expect(reply.status, `${method} ${path}`).to.not.be.oneOf([404, 405])
      }
    }
  })

  it('has one operationId for each operation, and references that resolve', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).to.equal(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references).to.not.be.empty
    for (const [, name = ''] of references) expect(document.components.schemas).to.have.property(name)
  })

  it('holds only valid JSON schemas', () => {
    const ajv = new Ajv2020({ strict: false })
    ;(formatsPlugin as unknown as (ajv: Ajv2020) => void)(ajv)
    for (const schema of Object.values(document.components.schemas)) {
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true)
    }
  })

  it('describes each path parameter, and each reply', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [], responses } of Object.values(methods)) {
        const described = parameters.filter((one) => one.in === 'path')
        expect(described.map(({ name }) => name)).to.deep.equal(named)
        expect(described.every(({ required }) => required === true)).to.equal(true)
        expect(Object.values(responses).every(({ description }) => description.length > 0)).to.equal(true)
      }
    }
  })

  it('has both schemes, and lists both as string header parameters of every pet operation', () => {
    const { ApiKeyAuth, BasicAuth } = document.components.securitySchemes
    expect(BasicAuth).to.deep.include({ type: 'http', scheme: 'basic' })
    expect(ApiKeyAuth).to.deep.include({ type: 'apiKey', in: 'header', name: 'X-API-Key' })
    expect(petOperations()).to.have.length(5)
    for (const { parameters = [], security } of petOperations()) {
      for (const scheme of ['ApiKeyAuth', 'BasicAuth']) {
        const found = parameters.filter(({ name }) => name === scheme)
        expect(found).to.have.length(1)
        expect(found[0]?.in).to.equal('header')
        expect(found[0]?.schema).to.have.property('type', 'string')
        expect(security).to.deep.include({ [scheme]: [] })
      }
    }
  })

  it('names only schemes that it describes', () => {
    for (const { security } of operations()) {
      for (const name of security.flatMap((one) => Object.keys(one))) {
        expect(document.components.securitySchemes).to.have.property(name)
      }
    }
  })

  it('names the statuses of the pet routes', () => {
    for (const { operationId, responses } of petOperations()) {
      expect(Object.keys(responses).sort(), operationId).to.deep.equal(STATUSES[operationId]?.sort())
    }
  })

  it('has the fields of the specification', () => {
    const { Pet, Error: error, Cat, Dog } = document.components.schemas
    expect(Pet?.['required']).to.deep.equal(['id', 'name'])
    expect((Pet?.['properties'] as Schema)['id']).to.include({ type: 'integer', format: 'int64' })
    expect((Pet?.['properties'] as Schema)['category']).to.deep.include({ enum: ['One', 'Two', 'Three'] })
    expect(error?.['required']).to.deep.equal(['code', 'message'])
    expect((error?.['properties'] as Schema)['code']).to.include({ type: 'integer', format: 'int32' })
    expect((Cat?.['properties'] as Schema)['age']).to.include({ type: 'integer', minimum: 0, maximum: 200 })
    expect(Object.keys(Cat?.['properties'] as object)).to.deep.equal(['age', 'hunts'])
    expect(Object.keys(Dog?.['properties'] as object)).to.deep.equal(['bark', 'breed'])
  })

  it('describes limit and petId as the specification does', () => {
    const list = document.paths['/v1/pets']?.['get']?.parameters?.find(({ name }) => name === 'limit')
    expect(list?.required ?? false).to.equal(false)
    expect(list?.schema).to.include({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    const read = document.paths['/v1/pets/{petId}']?.['get']?.parameters?.find(({ name }) => name === 'petId')
    expect(read?.schema['type']).to.equal('string')
  })

  it('accepts the same bodies as the service', async () => {
    const key = await service.apiKey()
    await service.client.call('POST', '/v1/pets', { headers: { 'X-API-Key': key }, json: { name: 'Rex' } })
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'api')
    const cases: [string, string, string, unknown][] = [
      ...[
        { name: 'x' },
        { name: 'x', tag: 't', category: 'One' },
        {},
        { name: '' },
        { name: 7 },
        { name: 'x', id: 1 },
        { name: 'n'.repeat(201) },
        { name: ' \t' },
        { name: ' \u00a0\ufeff' },
        { name: ' Rex ', tag: ' ' },
        { name: 'R\u0085x' },
        { name: 'Rex', tag: '\n' },
        { name: 'x', category: 'Four' },
      ].map((json): [string, string, string, unknown] => ['POST', '/v1/pets', 'PetDraft', json]),
      ...[
        { age: 1 },
        { hunts: true, age: 200 },
        { bark: true },
        { breed: 'x' },
        {},
        { age: 1, bark: true },
        { age: 1.5 },
        { age: 201 },
        { age: null },
        { breed: '' },
        { breed: 'x\u007f' },
        { breed: '\u2028' },
        { color: 'x' },
      ].map((json): [string, string, string, unknown] => ['PATCH', '/v1/pets/1', 'PetChange', json]),
    ]
    for (const [method, path, name, json] of cases) {
      const valid = ajv.compile({ $ref: `api#/components/schemas/${name}` })(json)
      const reply = await service.client.call(method, path, { headers: { 'X-API-Key': key }, json })
      expect(reply.status < 300, `${name} ${JSON.stringify(json)}`).to.equal(valid)
      if (!valid) expect(reply.status).to.equal(400)
    }
  })

  it('describes failure bodies as Error objects', () => {
    for (const { responses } of petOperations()) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        expect(resolve(content?.['application/json']?.schema ?? {})).to.equal(
          document.components.schemas['Error'],
        )
      }
    }
  })
})
