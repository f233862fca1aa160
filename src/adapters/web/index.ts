/** Entry point `kennel-id/web`: the handler for web requests (`Request` to `Response`). */
export { createHandler, type Handler } from './handler.js'
