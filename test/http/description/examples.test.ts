import { expect } from 'chai'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import {
  CONFIGURATIONS,
  described,
  operationsOf,
  type ApiDocument,
  type Header,
  type Media,
  type Parameter,
  type Schema,
} from './configurations.js'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { rotating } from '../../support/rotation.js'

type Json = Record<string, unknown>
type Example = { readonly where: string; readonly schema: Schema; readonly values: readonly unknown[] }

/** A parameter's example may be in its schema, because a page for trying requests does not prefill it. */
function valuesOf(example: unknown, schema: Schema = {}): readonly unknown[] {
  const { examples = [] } = schema as { examples?: readonly unknown[] }
  return example === undefined ? examples : [example, ...examples]
}

function bodies(where: string, content: Record<string, Media> = {}): Example[] {
  return Object.entries(content).map(([type, { schema, example }]) => {
    return { where: `${where} ${type}`, schema, values: valuesOf(example) }
  })
}

function parametersOf(where: string, parameters: readonly Parameter[] = []): Example[] {
  return parameters.map(({ name, schema, example }) => {
    return { where: `${where} ${name}`, schema, values: valuesOf(example, schema) }
  })
}

/** Returns every parameter and body that needs an example. */
function placesOf(document: ApiDocument): Example[] {
  return operationsOf(document).flatMap(({ where, operation: { parameters, requestBody, responses } }) => [
    ...parametersOf(where, parameters),
    ...bodies(`${where} request`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => bodies(`${where} ${status}`, content)),
  ])
}

function headersOf(document: ApiDocument): Example[] {
  const inline = operationsOf(document).flatMap(({ where, operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, { headers }]) =>
      Object.entries(headers).map(([name, header]) => ({ where: `${where} ${status} ${name}`, header })),
    ),
  )
  return inline
    .filter((one): one is { where: string; header: Header } => 'schema' in one.header)
    .map(({ where, header: { schema, example } }) => ({ where, schema, values: valuesOf(example, schema) }))
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(formatsPlugin as unknown as (ajv: Ajv2020) => void)(ajv)

/** Cached by the schema and the components it refers to, because most configurations describe most schemas in the same way. */
const compiled = new Map<string, ValidateFunction>()

function compile(schema: Schema, schemas: Json): ValidateFunction {
  const whole = { ...schema, components: { schemas: reachable(schema, schemas) } }
  const key = JSON.stringify(whole)
  const validate = compiled.get(key) ?? ajv.compile(whole)
  compiled.set(key, validate)
  return validate
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

function reachable(schema: unknown, schemas: Json, found: Json = {}): Json {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(REFERENCE)) {
    if (name in found) continue
    found[name] = schemas[name]
    reachable(schemas[name], schemas, found)
  }
  return found
}

for (const [name, settings] of Object.entries(CONFIGURATIONS)) {
  describe(`the examples of the API description: ${name}`, () => {
    const document = described(settings)
    const judge = ({ where, schema, values }: Example) => {
      const validate = compile(schema, document.components.schemas)
      for (const value of values)
        expect(validate(value), `${where}: ${JSON.stringify(validate.errors)}`).to.equal(true)
    }

    it('exist for every parameter and every body', () => {
      const places = placesOf(document)
      expect(places).to.have.length.greaterThan(100)
      expect(places.filter(({ values }) => values.length === 0).map(({ where }) => where)).to.be.empty
    })

    it('match their schemas', () => {
      const headers = headersOf(document).filter(({ values }) => values.length > 0)
      expect(headers).to.not.be.empty
      for (const one of [...placesOf(document), ...headers]) judge(one)
    })
  })
}

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
