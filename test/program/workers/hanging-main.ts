/** A worker that receives no messages, because its event loop is blocked. */
process.send?.({ kind: 'begun' })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
