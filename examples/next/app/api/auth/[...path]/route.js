import { createHandler } from 'kennel-id/web'

/** @type {import('kennel-id/web').Handler | undefined} */
let handler

/**
 * The handler is made with the first request: the build runs this file too, and has no Kennel.
 *
 * @param {Request} request
 */
const answer = (request) => (handler ??= createHandler(globalThis.kennel))(request)

export { answer as GET, answer as OPTIONS, answer as POST }
