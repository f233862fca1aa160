import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { AppModule } from './app.js'
import { kennel, listener } from './kennel.js'

const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false })
// Must come before the body parser, because the parser would consume the body.
app.use('/api/auth', listener)
app.useBodyParser('json')

await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
console.log(await app.getUrl())
process.once('SIGTERM', () => app.close().then(() => kennel.close()))
