export {
  createHandler,
  type ConnectionInfo,
  type Handler,
  type HandlerOptions,
  type ServedKennel,
} from './handler.js'
export type { OfferedHttpUseCases } from '../../http/parts.js'
