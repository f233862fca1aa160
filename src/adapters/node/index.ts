/** Entry point `kennel-id/node`: the listener for Node's HTTP server. */
export { createListener, type NodeListener, type WebHandler } from './listener.js'
