import { createHandler } from 'kennel-id/web'

/** @type {import('kennel-id/web').Handler | undefined} */
let handler

/**
 * The handler is created at the first request, because the build also runs this file but has no Kennel instance.
 *
 * @param {Request} request
 */
const answer = (request) => (handler ??= createHandler(globalThis.kennel))(request)

export { answer as GET, answer as OPTIONS, answer as POST }
