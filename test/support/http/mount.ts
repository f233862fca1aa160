import type Koa from 'koa'

/** Mounts a Koa middleware as koa-mount does. */
export function mount(prefix: string, inner: Koa.Middleware): Koa.Middleware {
  return async (ctx, next) => {
    const { path } = ctx
    if (!path.startsWith(`${prefix}/`)) {
      await next()
      return
    }
    ctx.path = path.slice(prefix.length)
    await inner(ctx, next)
    ctx.path = path
  }
}
