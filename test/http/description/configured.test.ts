import { expect } from 'chai'
import type { PublicKey } from '../../../src/ports/token-format.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import type { HttpSettings } from '../../../src/http/settings.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import {
  allTo,
  CONFIGURATIONS,
  described,
  operationOf,
  operationsOf,
  type ApiDocument,
} from './configurations.js'
import { permissionsOf } from '../../support/http/settings.js'

const NOT_PERMITTED = 'Not granted to anybody in this configuration: the answer is 401 or 403.'
const PETS = ['listPets', 'createPet', 'readPet', 'patchPet', 'removePet']
const PROJECTS = ['createProject', 'listProjects', 'readProject', 'closeProject']
const WITH_IDENTITY = ['getIdentity', 'changePassword', 'loginAs', 'logoutAs', ...PROJECTS]
const WITH_SESSION = ['listSessions', 'endSessions']

const securityOf = (document: ApiDocument, id: string) => operationOf(document, id).security
const statusesOf = (settings: Partial<HttpSettings>, id: string) =>
  Object.keys(operationOf(described(settings), id).responses)

describe('the credentials in the API description', () => {
  it('require cookie and bearer token together', () => {
    const document = described()
    for (const id of [...WITH_IDENTITY, ...WITH_SESSION]) {
      expect(securityOf(document, id)).to.deep.equal([{ SessionCookie: [], BearerAuth: [] }])
    }
    expect(securityOf(document, 'logout')).to.deep.equal([{ SessionCookie: [], BearerAuth: [] }, {}])
    expect(securityOf(document, 'refresh')).to.deep.equal([{ SessionCookie: [] }])
    expect(securityOf(document, 'login')).to.deep.equal([{}])
    expect(document.components.securitySchemes['SessionCookie']).to.deep.equal({
      type: 'apiKey',
      in: 'cookie',
      name: 'sid',
      description: 'The session cookie: set by login; a browser sends it by itself, nothing to fill in.',
    })
  })

  it('include no cookie in stateless mode', () => {
    const document = described({ stateless: true })
    for (const id of WITH_IDENTITY) expect(securityOf(document, id)).to.deep.equal([{ BearerAuth: [] }])
    expect(securityOf(document, 'refresh')).to.deep.equal([{}])
    expect(document.components.securitySchemes).to.not.have.property('SessionCookie')
    expect(JSON.stringify(document)).to.not.include('Set-Cookie')
  })

  it('use the configured header and cookie names', () => {
    const { securitySchemes } = described(CONFIGURATIONS['other headers']).components
    expect(securitySchemes['BearerAuth']).to.include({ type: 'apiKey', in: 'header', name: 'X-Token' })
    expect(securitySchemes['ApiKeyAuth']).to.include({ in: 'header', name: 'X-Kennel-Key' })
    const standard = described(CONFIGURATIONS['the standard header']).components.securitySchemes
    expect(standard['BearerAuth']).to.include({ type: 'http', scheme: 'bearer' })
    const cookie = described(CONFIGURATIONS['another cookie']).components.securitySchemes['SessionCookie']
    expect(cookie).to.include({ in: 'cookie', name: '__Host-my.kennel' })
  })

  it('are any or all of the pet credentials, as configured', () => {
    const both = { ApiKeyAuth: [], BasicAuth: [] }
    for (const id of PETS) {
      expect(securityOf(described(), id)).to.deep.equal([{ ApiKeyAuth: [] }, { BasicAuth: [] }, both])
      expect(securityOf(described({ petSecurity: 'all' }), id)).to.deep.equal([both])
    }
  })
})

describe('the lengths of new passwords in the API description', () => {
  const passwordsOf = (settings: Partial<HttpSettings>) => {
    const { schemas = {} } = described(settings).components as unknown as {
      schemas?: Record<string, { properties: Record<string, Record<string, unknown>> }>
    }
    return [
      schemas['ResetPasswordRequest']?.properties['password'],
      schemas['ChangePasswordRequest']?.properties['newPassword'],
    ].map((schema) => [schema?.['minLength'], schema?.['maxLength'], schema?.['format']])
  }
  for (const passwordMinLength of [8, 15, 1_024])
    it(`are the configured minimum of ${passwordMinLength} and the maximum of 1,024`, () => {
      const limits = [passwordMinLength, 1_024, 'password']
      expect(passwordsOf({ passwordMinLength })).to.deep.equal([limits, limits])
    })

  it('do not apply to a password that is only verified', () => {
    const { schemas } = described({ passwordMinLength: 15 }).components as unknown as {
      schemas: Record<string, { properties: Record<string, object> }>
    }
    expect(schemas['LoginRequest']?.properties['password']).not.to.have.property('minLength')
    expect(schemas['ChangePasswordRequest']?.properties['password']).to.include({ minLength: 1 })
  })
})

describe('the permissions in the API description', () => {
  it('end each operation with the callers that may use it', () => {
    const document = described()
    const said = Object.fromEntries(
      operationsOf(document).map(({ operation }) => [operation.operationId, operation['x-granted-to']]),
    )
    expect(said).to.deep.equal({
      ...Object.fromEntries(PETS.map((id) => [id, 'user'])),
      removePet: 'nobody',
      login: 'everyone',
      getIdentity: 'everyone',
      refresh: 'everyone',
      logout: 'everyone',
      readSecondFactor: 'user',
      setUpSecondFactor: 'user',
      confirmSecondFactor: 'user',
      removeSecondFactor: 'user',
      renewRecoveryCodes: 'user',
      resetPassword: 'nobody',
      changePassword: 'user',
      listSessions: 'user',
      endSessions: 'user',
      deleteAccount: 'nobody',
      loginAs: 'roles',
      logoutAs: 'roles',
      ...Object.fromEntries(PROJECTS.map((id) => [id, 'nobody'])),
      createProject: 'roles',
      live: undefined,
      ready: undefined,
      describe: undefined,
    })
    const end = (id: string) => operationOf(document, id).description ?? ''
    expect(end('login')).to.match(/\. Granted to everyone\.$/)
    expect(end('listPets')).to.match(/\. Granted to whoever has an identity\.$/)
    expect(end('createProject')).to.match(/\. Granted to some roles\.$/)
    expect(end('resetPassword').endsWith(` ${NOT_PERMITTED}`)).to.equal(true)
  })

  it('are closed to every caller for an action that no role is permitted', () => {
    const operations = operationsOf(described({ grantedTo: allTo('nobody') })).filter(
      ({ operation }) => operation['x-granted-to'] !== undefined,
    )
    expect(operations).to.have.length(ENDPOINTS.filter(({ action }) => action).length)
    for (const { where, operation } of operations) {
      expect(operation['x-granted-to'], where).to.equal('nobody')
      expect(operation.description?.endsWith(NOT_PERMITTED), where).to.equal(true)
    }
  })

  it('do not show login as public because of a role permission, or without user: find', () => {
    const { everyone, ...others } = DEFAULT_PERMISSIONS.roles
    const { auth } = everyone.components
    const withoutFind = { roles: { ...others, everyone: { components: { auth } } } }
    const forUsers = {
      roles: { user: { components: { auth: ['login', 'reset-password'], user: ['find'] } } },
    }
    expect(permissionsOf(withoutFind)['auth:login']).to.equal('nobody')
    expect(permissionsOf(forUsers)).to.include({ 'auth:login': 'nobody', 'auth:reset-password': 'nobody' })
  })

  it('list 403 only for operations that can refuse a known caller', () => {
    for (const id of [...PETS, 'getIdentity', 'refresh', 'logout', ...PROJECTS]) {
      for (const callers of ['everyone', 'user'] as const) {
        expect(statusesOf({ grantedTo: allTo(callers) }, id), `${id} ${callers}`).to.not.include('403')
      }
      for (const callers of ['roles', 'nobody'] as const) {
        expect(statusesOf({ grantedTo: allTo(callers) }, id), `${id} ${callers}`).to.include('403')
      }
    }
    // Refused even if everything is permitted: for a foreign origin, during impersonation, or an administrator as
    // target.
    for (const id of ['login', 'resetPassword', 'loginAs', 'logoutAs', 'changePassword', ...WITH_SESSION]) {
      expect(statusesOf({ grantedTo: allTo('everyone') }, id), id).to.include('403')
    }
  })
})

describe('the replies in the API description', () => {
  it('list 429 for codes, and for passwords, resets and Basic if attempts are limited', () => {
    const [login, confirm, deletion, loginAs] = ['login', 'confirmSecondFactor', 'deleteAccount', 'loginAs']
    const changes = ['removeSecondFactor', 'renewRecoveryCodes']
    const codes = [login, confirm, ...changes, deletion, loginAs]
    const all = [
      login,
      'setUpSecondFactor',
      confirm,
      ...changes,
      'resetPassword',
      'changePassword',
      deletion,
      loginAs,
    ]
    for (const [settings, expected] of [
      [{ limitsAttempts: false }, codes],
      [{ limitsAttempts: true }, [...PETS, ...all]],
      [{ limitsAttempts: true, petSecurity: 'key' }, all],
    ] as const) {
      const document = described(settings)
      const limited = operationsOf(document).filter(({ operation }) => '429' in operation.responses)
      const ids = limited.map(({ operation }) => operation.operationId)
      expect(ids).to.deep.equal(expected)
    }
  })

  it('have headers for https and listed origins only if they are configured', () => {
    const plain = Object.keys(described().components.headers)
    const { headers } = described(CONFIGURATIONS['listed origins and https']).components
    const added = Object.keys(headers).filter((name) => !plain.includes(name))
    expect(added).to.deep.equal([
      'Strict-Transport-Security',
      'Vary',
      'Access-Control-Allow-Origin',
      'Access-Control-Allow-Credentials',
      'Access-Control-Expose-Headers',
    ])
    expect(headers['Access-Control-Allow-Origin']?.schema['enum']).to.deep.equal([
      'https://app.kennel.test',
      'capacitor://localhost',
    ])
  })

  it('include the public keys if there are any', () => {
    const path = '/.well-known/jwks.json'
    const { publicKeys } = CONFIGURATIONS['public keys']
    expect(described().paths).to.not.have.property(path)
    const { content } = described({ publicKeys }).paths[path]?.['get']?.responses['200'] ?? {}
    expect(content?.['application/json']?.example).to.deep.equal({ keys: publicKeys })
  })

  it('depend on the public keys in one example only, so that services share a reply check', () => {
    const { publicKeys } = CONFIGURATIONS['public keys']
    const others = publicKeys.map((key) => ({ ...key, kid: 'another key' }))
    const textOf = (keys: readonly PublicKey[]) => JSON.stringify(described({ publicKeys: keys }))
    const example = (keys: readonly PublicKey[]) => `"example":{"keys":${JSON.stringify(keys)}}`
    expect(textOf(publicKeys)).to.include(example(publicKeys))
    expect(textOf(publicKeys).replace(example(publicKeys), example(others))).to.equal(textOf(others))
  })

  it('have no HTML page', () => {
    for (const docs of [true, false]) expect(JSON.stringify(described({ docs }))).to.not.include('/docs')
  })
})
