// How much is done, told as often as a bar can show it: a message for every node would take longer than the check.

const STEPS = 50

export function inSteps(tell: (done: number) => void): (done: number) => void {
  let told = 0
  return (done) => {
    const step = Math.floor(done * STEPS)
    if (step <= told) return
    told = step
    tell(step / STEPS)
  }
}
