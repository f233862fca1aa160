import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { AppModule } from './app.js'
import { kennel, listener } from './kennel.js'

const app = await NestFactory.create<NestExpressApplication>(AppModule, { bodyParser: false })
// Before the body parser, which would leave it no body.
app.use('/api/auth', listener)
app.useBodyParser('json')

await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
console.log(await app.getUrl())
process.once('SIGTERM', () => app.close().then(() => kennel.close()))
