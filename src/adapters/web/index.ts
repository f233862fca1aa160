export { createHandler, type Handler } from './handler.js'
