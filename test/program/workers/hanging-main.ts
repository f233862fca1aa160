/** A worker that hears nothing: its event loop stands still. */
process.send?.({ kind: 'begun' })
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
