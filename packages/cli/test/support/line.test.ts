import { expect, it } from 'vitest'
import { argumentsOf } from './line.ts'

it.each([
  ['bcast explain 2,3,4 2,4', ['explain', '2,3,4', '2,4']],
  [`bcast eval '(x - m) / s' x=x.npy -o "a b.npy"`, ['eval', '(x - m) / s', 'x=x.npy', '-o', 'a b.npy']],
  [`bcast eval 'x'"y"z ''`, ['eval', 'xyz', '']],
  ['bcast', []],
  ['bcast eval x | cat', undefined],
  ['bcast eval 1 > one.npy', undefined],
  ['bcast check *.onnx', undefined],
  ['bcast eval "$x"', undefined],
  ["bcast eval 'x", undefined],
  ['cat x.npy', undefined],
])('%s', (line, args) => expect(argumentsOf(line)).toEqual(args))
