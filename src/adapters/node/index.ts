export { createListener, type NodeListener, type WebHandler } from './listener.js'
