import { walkDoor } from './walk-door.js'

walkDoor('http')
