// OpenVINO's broadcast rules, clause by clause, on the library.
import { add, bidirectional, broadcastTo, expand, none, numpy, pdpd, RuleError, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { expectMeeting, expectRefused, numbered } from './support.ts'

it('[openvino.rank] operands may have any number of dimensions', () => {
  const deep = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3]
  expectMeeting([deep, [4, 1]], numpy, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 3])
})

describe('none', () => {
  it('[openvino.none.1] dimensions match', () =>
    expectMeeting(
      [
        [2, 3],
        [2, 3],
      ],
      none,
      [2, 3],
    ))
  it('[openvino.none.2] nothing is broadcast', () => {
    expectRefused(
      [
        [2, 3],
        [1, 3],
      ],
      none,
      -2,
    )
    expectRefused([[2, 3], [3]], none)
  })
})

describe('numpy', () => {
  it('[openvino.numpy.1] right-aligned', () => expectMeeting([[2, 3], [3]], numpy, [2, 3]))
  it('[openvino.numpy.2] the smaller one is padded with 1', () => expectMeeting([[3], [5, 4, 3]], numpy, [5, 4, 3]))
  it('[openvino.numpy.3] equal, or one of them is 1', () =>
    expectRefused(
      [
        [2, 3],
        [2, 2],
      ],
      numpy,
      -1,
    ))
  it('[openvino.numpy.4] a size 1 repeats', () => {
    expect(add(tensor([[1], [2]]), tensor([[10, 20]])).toArray()).toEqual([
      [11, 21],
      [12, 22],
    ])
  })
  it('[openvino.numpy.5] two scalars make a scalar', () => expect(add(tensor(1), tensor(2)).shape).toEqual([]))
  it('[openvino.numpy.example.1] scalars', () => expectMeeting([[], []], numpy, []))
  it('[openvino.numpy.example.2]', () => expectMeeting([[2, 3], [1]], numpy, [2, 3]))
  it('[openvino.numpy.example.3]', () => expectMeeting([[3], [2, 3]], numpy, [2, 3]))
  it('[openvino.numpy.example.4]', () => expectMeeting([[2, 3, 5], []], numpy, [2, 3, 5]))
  it('[openvino.numpy.example.5]', () =>
    expectMeeting(
      [
        [2, 1, 5],
        [1, 4, 5],
      ],
      numpy,
      [2, 4, 5],
    ))
  it('[openvino.numpy.example.6]', () =>
    expectMeeting(
      [
        [6, 5],
        [2, 1, 5],
      ],
      numpy,
      [2, 6, 5],
    ))
  it('[openvino.numpy.example.7]', () =>
    expectMeeting(
      [
        [2, 1, 5],
        [4, 1],
      ],
      numpy,
      [2, 4, 5],
    ))
  it('[openvino.numpy.example.8]', () =>
    expectMeeting(
      [
        [3, 2, 1, 4],
        [5, 4],
      ],
      numpy,
      [3, 2, 5, 4],
    ))
  it('[openvino.numpy.example.9]', () =>
    expectMeeting(
      [
        [1, 5, 3],
        [5, 2, 1, 3],
      ],
      numpy,
      [5, 2, 5, 3],
    ))
  it('[openvino.numpy.example.10] refused', () => expectRefused([[3], [2]], numpy, -1))
  it('[openvino.numpy.example.11] refused on the leftmost axis', () =>
    expectRefused(
      [
        [3, 1, 5],
        [4, 4, 5],
      ],
      numpy,
      -3,
    ))
})

describe('pdpd', () => {
  it("[openvino.pdpd.1] B's rank is at most A's", () =>
    expectRefused(
      [
        [4, 5],
        [3, 4, 5],
      ],
      pdpd(),
    ))
  it("[openvino.pdpd.2] B is a run of A's sizes", () => {
    expectMeeting(
      [
        [2, 3, 4, 5],
        [3, 4],
      ],
      pdpd({ axis: 1 }),
      [2, 3, 4, 5],
    )
    expectRefused(
      [
        [2, 3, 4, 5],
        [3, 5],
      ],
      pdpd({ axis: 1 }),
      -2,
    )
  })
  it('[openvino.pdpd.3] B starts at axis and is repeated over the rest', () => {
    const seen = broadcastTo(tensor([1, 2]), [2, 3], { broadcast: pdpd({ axis: 0 }) })
    expect(seen.toArray()).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
  })
  it('[openvino.pdpd.4] axis -1 aligns the ends, by the rank of B as given; no other axis is negative', () => {
    expectMeeting(
      [
        [2, 3, 4, 5],
        [4, 1],
      ],
      pdpd(),
      [2, 3, 4, 5],
    )
    expectRefused(
      [
        [2, 3, 4, 3],
        [3, 1],
      ],
      pdpd(),
      -2,
    )
    expect(() => pdpd({ axis: -2 })).toThrow(RuleError)
  })
  it('[openvino.pdpd.5] trailing ones of B do not count', () => {
    expectMeeting(
      [
        [2, 3],
        [3, 1],
      ],
      pdpd({ axis: 1 }),
      [2, 3],
    )
    expectRefused(
      [
        [2, 3],
        [3, 1],
      ],
      pdpd({ axis: 1, untrimmed: true }),
    )
    const column = tensor([[1], [2], [3]])
    const seen = broadcastTo(column, [4, 3] as number[], { broadcast: pdpd({ axis: 1 }) })
    expect(seen.toArray()).toEqual(new Array(4).fill([1, 2, 3]))
  })
  it('[openvino.pdpd.example.1]', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [3, 4],
      ],
      pdpd({ axis: 1 }),
      [2, 3, 4, 5],
    ))
  it('[openvino.pdpd.example.2]', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [3, 1],
      ],
      pdpd({ axis: 1 }),
      [2, 3, 4, 5],
    ))
  it('[openvino.pdpd.example.3a] [openvino.pdpd.example.3]', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [4, 5],
      ],
      pdpd({ axis: -1 }),
      [2, 3, 4, 5],
    ))
  it('[openvino.pdpd.example.3b]', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [4, 5],
      ],
      pdpd({ axis: 2 }),
      [2, 3, 4, 5],
    ))
  it('[openvino.pdpd.example.4]', () =>
    expectMeeting(
      [
        [2, 3, 4, 5],
        [1, 3],
      ],
      pdpd({ axis: 0 }),
      [2, 3, 4, 5],
    ))
  it('[openvino.pdpd.example.5]', () => expectMeeting([[2, 3, 4, 5], []], pdpd(), [2, 3, 4, 5]))
  it('[openvino.pdpd.example.6a] [openvino.pdpd.example.6]', () =>
    expectMeeting([[2, 3, 4, 5], [5]], pdpd({ axis: -1 }), [2, 3, 4, 5]))
  it('[openvino.pdpd.example.6b]', () => expectMeeting([[2, 3, 4, 5], [5]], pdpd({ axis: 3 }), [2, 3, 4, 5]))
  it('[openvino.pdpd.example.7] refused: A would have to grow', () =>
    expectRefused(
      [
        [8, 1, 6, 1],
        [7, 1, 5],
      ],
      pdpd({ axis: 1 }),
    ))
})

describe('bidirectional', () => {
  it('[openvino.bidirectional.purpose] brings data to a shape', () =>
    expect(expand(numbered([3]), [2, 3]).shape).toEqual([2, 3]))
  it('[openvino.bidirectional.1] right-aligned', () => expectMeeting([[3], [2, 3]], bidirectional, [2, 3]))
  it('[openvino.bidirectional.2] as data times ones of the target', () => {
    const data = tensor([[1], [2]])
    const ones = add(numbered([2, 1, 3]).slice(null, null, [0, 1]), numbered([1]).broadcastTo([2, 1, 3]))
    expect(expand(data, [2, 1, 3]).shape).toEqual(add(data, ones).shape)
    expect(expand(data, [2, 1, 3]).slice(1).toArray()).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
  })
  it('[openvino.bidirectional.3] sizes are equal or 1', () =>
    expectRefused(
      [
        [1, 1, 2],
        [2, 3],
      ],
      bidirectional,
      -1,
    ))
  it('[openvino.bidirectional.4] the result may be larger than the target', () => {
    expectMeeting(
      [
        [3, 4],
        [1, 1],
      ],
      bidirectional,
      [3, 4],
    )
    expectMeeting([[2, 3, 4], [4]], bidirectional, [2, 3, 4])
  })
  it('[openvino.bidirectional.example.1]', () => expectMeeting([[5], [1]], bidirectional, [5]))
  it('[openvino.bidirectional.example.2]', () => expectMeeting([[2, 3], [3]], bidirectional, [2, 3]))
  it('[openvino.bidirectional.example.3]', () =>
    expectMeeting(
      [
        [3, 1],
        [3, 4],
      ],
      bidirectional,
      [3, 4],
    ))
  it('[openvino.bidirectional.example.4]', () => expectMeeting([[3, 4], []], bidirectional, [3, 4]))
  it('[openvino.bidirectional.example.5]', () =>
    expectMeeting(
      [
        [3, 1],
        [2, 1, 6],
      ],
      bidirectional,
      [2, 3, 6],
    ))
})
