/** A worker that cannot receive messages, because it blocks its event loop. */
process.send?.({ kind: 'begun' })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
