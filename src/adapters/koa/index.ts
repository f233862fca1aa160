export { createHttpService, type HttpServiceParts } from './http-service.js'
export { bindServer, type BoundServer, type ServerLimits } from './server.js'
export type { HttpSettings, SessionCookieSettings } from './settings.js'
export type { HttpUseCases } from './use-cases.js'
