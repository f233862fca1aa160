import { createLog } from 'kennel-id/pino'
import { createHandler } from 'kennel-id/web'

const log = createLog({ level: 'warn', pretty: false })
let handler
// Made with the first request: the build runs this file too, and has no Kennel.
const answer = (request) => (handler ??= createHandler(globalThis.kennel, { log }))(request)

export { answer as GET, answer as OPTIONS, answer as POST }
