import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common'
import { LoggedIn } from './kennel.js'

@Controller()
class HelloController {
  @Get('hello')
  @UseGuards(LoggedIn)
  hello(@Req() request: { identity: { email: string } }) {
    return { hello: request.identity.email }
  }
}

@Module({ controllers: [HelloController] })
export class AppModule {}
