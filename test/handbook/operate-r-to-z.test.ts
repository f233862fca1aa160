import { walkDoor } from './walk-door.js'

walkDoor('operate', /^[r-z]/)
