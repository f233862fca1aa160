import { walkDoor } from './walk-door.js'

walkDoor('contribute')
