// `--engine`, the same for every command that computes.
import type { Option } from 'commander'
import { ENGINES } from '../engine/engine.ts'
import { choiceOption } from './choice-option.ts'

export const engineOption = (): Option =>
  choiceOption('--engine <name>', 'what computes: machine code where @bcast/native is installed, unless said', ENGINES)
