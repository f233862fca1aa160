import { walkDoor } from './walk-door.js'

walkDoor('operate', /^[a-k]/)
