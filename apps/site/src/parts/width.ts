// The width that a picture has, measured before it is painted, so that nothing moves.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { drawnWidth } from './svg-picture.tsx'

const NARROWEST = 240

/** A reference for the element around a picture, and how wide it is drawn; 0 until it is there. */
export function useWidth(): readonly [RefObject<HTMLDivElement | null>, ReadonlySignal<number>] {
  const around = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      width.value = Math.max(NARROWEST, drawnWidth(around.current!.clientWidth))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(around.current!)
    return () => observer.disconnect()
  }, [width])
  return [around, width]
}
