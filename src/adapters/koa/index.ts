export { createHttpService } from './http-service.js'
export { bindServer, type BoundServer } from './server.js'
export type { HttpSettings } from './settings.js'
export type { HttpUseCases } from './use-cases.js'
