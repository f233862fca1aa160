export {
  createHandler,
  type ConnectionInfo,
  type Handler,
  type HandlerOptions,
  type ServedKennel,
} from './handler.js'
