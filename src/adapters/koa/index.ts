/** Entry point `kennel-id/koa`: the HTTP service as a Koa application. */
export { createHttpService } from './http-service.js'
export type { HttpService } from './http-service.js'
export { bindServer, type BoundServer } from './server/server.js'
