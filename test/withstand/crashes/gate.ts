/** Closed while something is killed and has not come back. */
export type Gate = {
  close(): void
  open(): void
  /** Resolves when nothing is being killed: whatever was under way then is done or never will be. */
  passed(): Promise<void>
}

export function createGate(): Gate {
  let opened = Promise.resolve()
  let open = () => {}
  return {
    close: () => {
      opened = new Promise((resolve) => (open = resolve))
    },
    open: () => {
      open()
    },
    passed: () => opened,
  }
}
