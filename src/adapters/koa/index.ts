export { createHttpService } from './http-service.js'
export type { HttpService } from './service.js'
export { bindServer, type BoundServer } from './server/server.js'
