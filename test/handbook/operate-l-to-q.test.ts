import { walkDoor } from './walk-door.js'

walkDoor('operate', /^[l-q]/)
