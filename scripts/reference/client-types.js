// Generates src/client/api.ts: the client's types, from the service's API description.
import openapiTS, { astToString } from 'openapi-typescript'
import { apiDescription } from '../../dist/src/http/description/document.js'
import { ENDPOINTS } from '../../dist/src/http/endpoints.js'
import { httpSettings } from '../../dist/test/support/http/settings.js'

const HEADING = '/** Written by `npm run generate` from the API description: do not edit. */\n\n'
/** Operations whose replies need types in the client. */
const READ = ['login', 'refresh', 'logout', 'getIdentity', 'createProject', 'setUpSecondFactor', 'readPet']
/** Schemas that the client needs in addition to the bodies of POST requests and the replies that it reads. */
const OTHERS = ['Message', 'OwnSession', 'Passkey', 'PetMergePatch', 'SecondFactor']

const schemaOf = ({ content }) => content['application/json'].schema.$ref.split('/').at(-1)

const interfaceOf = (name, comment, entries) =>
  `/** ${comment} */\nexport interface ${name} {\n${entries
    .map(([key, schema]) => `'${key}': components['schemas']['${schema}']\n`)
    .join('')}}\n`

/** Returns these schemas and all schemas that they refer to, in the order of the description. */
function reachable(schemas, names) {
  const found = new Set(names)
  for (const name of found)
    for (const [, next] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
      found.add(next)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

// Turns on both settings that add members to bodies. The types contain no permissions, because these depend on the configuration.
const passkeyDomain = { rpId: 'kennel.example', relatedOrigins: [] }
const configured = httpSettings({ grantedTo: {}, rememberLogin: true, passkeyDomain })
const document = JSON.parse(JSON.stringify(apiDescription(configured, ENDPOINTS)))
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
)
const requests = operations
  .filter(({ method, requestBody }) => method === 'post' && requestBody)
  .map(({ path, requestBody }) => [path, schemaOf(requestBody)])
const replies = operations
  .filter(({ operationId }) => READ.includes(operationId))
  .map(({ operationId, responses }) => [operationId, schemaOf(responses[200] ?? responses[201])])
const names = [...requests, ...replies].map(([, name]) => name)
const schemas = reachable(document.components.schemas, [...names, ...OTHERS])
// Leaves out examples and the password format, which do not affect the types.
const typed = JSON.parse(JSON.stringify(schemas), (key, value) =>
  key === 'examples' || value === 'password' ? undefined : value,
)
const described = { ...document, paths: {}, components: { schemas: typed } }
const nodes = await openapiTS(described, { alphabetize: true })
const components = astToString(nodes.filter((node) => node.name?.text === 'components'))
// Removes empty sections, because only the schemas are described.
const shown = components.replace(/^\s+\w+: never;?\n/gm, '')
export default `${HEADING}${interfaceOf('Requests', 'The body of each POST request.', requests)}
${interfaceOf('Replies', 'The body of the successful reply to each operation that the client reads.', replies)}
${shown}`
